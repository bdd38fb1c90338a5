import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, RequestOptions } from './api.ts'
import { describeApi } from './describe-api.ts'
import { invalid, malformed, secret, tooLarge } from './malformed-json.ts'
import { sendRaw } from './raw.ts'

const json = { 'content-type': 'application/json' }
const account = JSON.stringify({ email: 'mallory@example.com', name: 'Mallory', password: secret })

describeApi((api) => {
  const register = (options: RequestOptions) =>
    api().call('POST', '/users', { ...options, headers: { ...json, ...options.headers } })
  const registered = async () =>
    (await api().call('GET', '/users', { token: api().admin.token })).meta['total']

  function expectRefusal(
    answer: Pick<Answer, 'status' | 'headers' | 'text'>,
    status: number,
    code: string,
  ): void {
    const { error } = JSON.parse(answer.text) as Partial<Answer>
    expect([answer.status, error?.code]).toEqual([status, code])
    expect(answer.text + JSON.stringify([...answer.headers])).not.toContain(secret)
  }

  let before: unknown
  beforeAll(async () => {
    before = await registered()
  })
  afterAll(async () => {
    expect(await registered()).toBe(before)
  })

  describe('bodies', () => {
    it.each(malformed)('reject %s', async (_, body) => {
      expectRefusal(await register({ body }), 400, 'INVALID_JSON')
    })

    it.each(invalid)('reject an account in %s', async (_, body) => {
      expectRefusal(await register({ body }), 400, 'VALIDATION_ERROR')
    })

    it.each(tooLarge)('reject %s over the limit', async (_, body) => {
      expectRefusal(await register({ body }), 413, 'PAYLOAD_TOO_LARGE')
    })

    it.each([
      'text/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'application/vnd.api+json',
      'application/merge-patch+json',
      'application/json, text/plain',
      'application/json; charset=utf-16',
      'application/json; charset=latin1',
      'application/json; charset=iso-8859-1',
      'application/json; charset=utf-7',
      'application/json; charset="utf-16"',
      'application/json; charset=utf-8; charset=utf-16',
      'application/json; charset=utf16',
      'application/json; charset=utf',
      'application/json; charset=utf--8',
      'application/json; charset=ascii-utf-8',
      'application/json; charset=""utf8""',
      'application/json; charset=utf8; charset=us-ascii; charset=utf-32',
      'application/json\u00a0',
      'json',
      '*/*',
      '',
    ])('are not taken as %j', async (type) => {
      const answer = await register({ body: account, headers: { 'content-type': type } })
      expectRefusal(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
    })

    it.each([
      'application/json;',
      'APPLICATION/JSON ;Charset="UTF-8"',
      'application/json; charset=utf-8; profile="https://example.com"',
      `application/json; boundary=${secret}`,
    ])('are read as %j, whose parameters mean nothing', async (type) => {
      const answer = await register({ body: '{}', headers: { 'content-type': type } })
      expectRefusal(answer, 400, 'VALIDATION_ERROR')
    })

    it.each([
      ['gzip', gzipSync(account)],
      ['br', brotliCompressSync(account)],
      ['deflate', Buffer.from(account)],
      ['x-gzip', gzipSync(account)],
      ['gzip, identity', gzipSync(account)],
      ['utf-8', Buffer.from(account)],
    ])('are not compressed: %s', async (encoding, body) => {
      const answer = await register({ body: new Uint8Array(body), headers: { 'content-encoding': encoding } })
      expectRefusal(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
    })
  })

  describe('bodies on the wire', () => {
    const head = (...fields: readonly string[]) =>
      ['POST /api/v1/users HTTP/1.1', 'Host: localhost', 'Connection: close', ...fields, '', ''].join('\r\n')
    const length = `Content-Length: ${account.length}`
    const type = 'Content-Type: application/json'
    const chunked = 'Transfer-Encoding: chunked'
    const send = (...parts: readonly string[]) => sendRaw(api().base, ...parts)

    it('need exactly one Content-Type', async () => {
      expectRefusal(await send(head(length), account), 415, 'UNSUPPORTED_MEDIA_TYPE')
      for (const other of ['Content-Type: text/plain', type]) {
        expectRefusal(await send(head(length, type, other), account), 415, 'UNSUPPORTED_MEDIA_TYPE')
      }
    })

    it('are checked as strictly when they are chunked', async () => {
      const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
      const [first, second] = [account.slice(0, 20), account.slice(20, -1)]
      const text = `${chunk(first)}${chunk(second)}0\r\n\r\n`
      expectRefusal(await send(head(type, chunked), text), 400, 'INVALID_JSON')
      const much = chunk(`"${secret.repeat(100)}"`).repeat(20)
      expectRefusal(await send(head(type, chunked), much, '0\r\n\r\n'), 413, 'PAYLOAD_TOO_LARGE')
    })

    it('need no type when an optional chunked body is empty', async () => {
      const id = await api().delivery()
      const getHead = (...fields: readonly string[]) =>
        head(chunked, `Authorization: Bearer ${api().admin.token}`, ...fields).replace(
          'users',
          `deliveries/${id}/replays`,
        )
      // It was once 415.
      expect((await send(getHead(), '0\r\n\r\n')).status).toBe(202)
      const some = '2\r\n{}\r\n0\r\n\r\n'
      expectRefusal(await send(getHead(), some), 415, 'UNSUPPORTED_MEDIA_TYPE')
      expectRefusal(await send(getHead('Content-Type: text/plain'), some), 415, 'UNSUPPORTED_MEDIA_TYPE')
      expect((await send(getHead(type), some)).status).toBe(202)
    })

    it('end at the declared length, and the rest is not read as a request', async () => {
      const short = head(type, 'Content-Length: 20').replace('close', 'keep-alive')
      const { received, ...answer } = await send(short, account)
      expectRefusal(answer, 400, 'BAD_REQUEST')
      expect(received).not.toContain(secret)
    })

    // Node.js itself refuses these, before there is a request for a handler.
    it.each([
      ['two lengths', [length, 'Content-Length: 7', type]],
      ['a length and chunks', [length, chunked, type]],
      ['a length that is not a number', ['Content-Length: many', type]],
      ['a negative length', ['Content-Length: -1', type]],
      ['a length past the largest', ['Content-Length: 99999999999999999999999', type]],
      ['chunks that are not the last coding', ['Transfer-Encoding: chunked, gzip', type]],
      ['a header without a colon', [length, type, secret]],
      ['a header folded over two lines', [length, type, `X-Folded: a\r\n  ${secret}`]],
      ['NUL in a header', [length, type, `X-Nul: ${secret}\0`]],
      ['a space before the colon', [length, type, `X-Spaced : ${secret}`]],
    ])('do not come with %s', async (_, fields) => {
      expectRefusal(await send(head(...fields), account), 400, 'BAD_REQUEST')
    })

    it('reject malformed chunk sizes', async () => {
      expectRefusal(await send(head(type, chunked), `zz\r\n${account}\r\n0\r\n\r\n`), 400, 'BAD_REQUEST')
    })
  })
})
