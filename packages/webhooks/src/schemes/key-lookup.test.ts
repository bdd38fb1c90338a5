import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createCertificate } from '../../test/certificates.ts'
import { crc32, createKeyLookup, fetchDocument, readCertificateKey } from '../keys/index.ts'
import { isAllowedUrl } from './fetch-document.ts'

describe('createKeyLookup', () => {
  function createLookup(options: { maxKeys?: number; loadsPerMinute?: number } = {}) {
    let now = 0
    const loads: string[] = []
    let result: (id: string) => Promise<string | undefined> = (id) => Promise.resolve(`key ${id}`)
    const find = createKeyLookup({
      load(id) {
        loads.push(id)
        return result(id)
      },
      now: () => now,
      ...options,
    })
    return {
      find,
      loads,
      wait: (seconds: number) => (now += seconds * 1000),
      answer: (next: typeof result) => (result = next),
    }
  }

  it('loads a key once and again after its age', async () => {
    const { find, loads, wait } = createLookup()
    expect(await Promise.all([find('a'), find('a')])).toEqual(['key a', 'key a'])
    expect(await find('a')).toBe('key a')
    expect(loads).toEqual(['a'])
    wait(3600)
    await find('a')
    expect(loads).toEqual(['a', 'a'])
  })

  it('uses an old key while the service is unavailable', async () => {
    const { find, wait, answer } = createLookup()
    await find('a')
    answer(() => Promise.reject(new Error('down')))
    wait(3600)
    expect(await find('a')).toBe('key a')
    await expect(find('b')).rejects.toThrow('down')
    wait(24 * 3600)
    await expect(find('a')).rejects.toThrow('down')
  })

  it('drops a key that the service revoked', async () => {
    const { find, wait, answer } = createLookup()
    await find('a')
    answer(() => Promise.resolve(undefined))
    wait(3600)
    expect(await find('a')).toBeUndefined()
    expect(await find('a')).toBeUndefined()
  })

  it('limits the loads of a minute and the number of keys', async () => {
    const { find, loads, wait } = createLookup({ loadsPerMinute: 3, maxKeys: 2 })
    for (const id of ['a', 'b', 'c']) await find(id)
    await expect(find('d')).rejects.toThrow('Too many keys')
    expect(await find('c')).toBe('key c')
    await expect(find('a')).rejects.toThrow('Too many keys')
    wait(60)
    expect(await find('a')).toBe('key a')
    expect(loads).toEqual(['a', 'b', 'c', 'a'])
  })
})

describe('fetchDocument', () => {
  const hosts = ['keys.example', /^sns\.[a-z0-9-]+\.amazonaws\.com$/]

  it('accepts only https URLs at an allowed host', () => {
    expect(isAllowedUrl('https://keys.example/a?b', hosts)).toBe(true)
    expect(isAllowedUrl('https://sns.eu-west-1.amazonaws.com/a.pem', hosts)).toBe(true)
    for (const url of [
      'http://keys.example/a',
      'https://keys.example:8443/a',
      'https://user@keys.example/a',
      'https://keys.example.evil.example/a',
      'https://evil.example/keys.example',
      'https://evil.example#@keys.example/',
      'https://sns.eu-west-1.amazonaws.com.evil.example/a.pem',
      'https://127.0.0.1/',
      'file:///etc/passwd',
      '',
    ]) {
      expect(isAllowedUrl(url, hosts), url).toBe(false)
    }
  })

  it('requests the document without redirects', async () => {
    const requests: unknown[] = []
    const fetch = ((url: string, init: RequestInit) => {
      requests.push([url, init.redirect, init.method])
      return Promise.resolve(new Response('pem'))
    }) as typeof globalThis.fetch
    const init = { method: 'POST' }
    expect(await fetchDocument('https://keys.example/a', { hosts, fetch, init })).toBe('pem')
    expect(requests).toEqual([['https://keys.example/a', 'error', 'POST']])
    await expect(fetchDocument('https://evil.example/a', { hosts, fetch })).rejects.toThrow(TypeError)
    expect(requests).toHaveLength(1)
  })

  it('rejects a status, a large document and a slow server', async () => {
    const answer = (response: Response) => () => Promise.resolve(response)
    const request = (fetch: typeof globalThis.fetch) =>
      fetchDocument('https://keys.example/a', { hosts, fetch, maximumBytes: 4, timeoutMs: 20 })
    await expect(request(answer(new Response('no', { status: 404 })))).rejects.toThrow('404')
    await expect(request(answer(new Response('12345')))).rejects.toThrow('too large')
    const slow: typeof globalThis.fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => {
          reject(new DOMException('Timeout', 'TimeoutError'))
        })
      })
    await expect(request(slow)).rejects.toThrow('Timeout')
  })
})

describe('readCertificateKey', () => {
  it.each(['rsa', 'ec'] as const)('reads the key and the times of a certificate with an %s key', (type) => {
    const { pem } = createCertificate({
      type,
      notBefore: Date.UTC(2021, 1, 3),
      notAfter: Date.UTC(2060, 4, 5),
    })
    const { publicKey } = new X509Certificate(pem)
    const expected = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    expect(readCertificateKey(`${pem}${createCertificate().pem}`)).toEqual({
      key: expected,
      notBefore: Date.UTC(2021, 1, 3),
      notAfter: Date.UTC(2060, 4, 5),
    })
  })

  it('rejects other texts', () => {
    const { der } = createCertificate()
    const wrap = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----`
    const truncated = [4, 40, 120, 200].map((length) => wrap(der.slice(0, length)))
    for (const text of ['', 'text', wrap(''), wrap('MAAA'), wrap('MAA='), ...truncated]) {
      expect(() => readCertificateKey(text), text).toThrow(TypeError)
    }
  })
})

it('computes the CRC-32 of a body', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926)
  expect(crc32(new Uint8Array())).toBe(0)
})
