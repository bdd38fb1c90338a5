import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ApiRequest } from '../api/api-request.ts'
import { multipartBody, type MultipartBodyOptions } from './multipart-body.ts'

const form = [
  '--b',
  'Content-Disposition: form-data; name="title"',
  '',
  'Zürich',
  '--b',
  'Content-Disposition: form-data; name="photos"; filename="a.png"',
  'Content-Type: image/png',
  '',
  '--',
  '--b--',
  '',
].join('\r\n')

function read(
  chunks: readonly Uint8Array[],
  options: MultipartBodyOptions = {},
  contentType = 'multipart/form-data; boundary=b',
) {
  const request: Pick<ApiRequest, 'header' | 'hasBody' | 'streamBody'> = {
    header: (name) => (name === 'content-type' ? contentType : undefined),
    hasBody: true,
    streamBody: () => ReadableStream.from(chunks),
  }
  return multipartBody(z.unknown(), { arrays: ['photos'], ...options }).read(request as ApiRequest)
}

const bytes = new TextEncoder().encode(form)
const part = (disposition: string, value = '') =>
  new TextEncoder().encode(`--b\r\nContent-Disposition: ${disposition}\r\n\r\n${value}\r\n--b--\r\n`)
const malformed = { status: 400, code: 'BAD_REQUEST' }

describe('a form', () => {
  it('may arrive in chunks of any size', async () => {
    for (const size of [1, 2, 3, 7, 64, 1000]) {
      const count = Math.ceil(bytes.length / size)
      const chunks = Array.from({ length: count }, (_, at) => bytes.slice(at * size, (at + 1) * size))
      const value = (await read(chunks)) as { title: string; photos: readonly File[] }
      expect([value.title, value.photos.map(({ name, type, size }) => [name, type, size])]).toEqual([
        'Zürich',
        [['a.png', 'image/png', 2]],
      ])
    }
  })

  it('is 400 wherever it is cut off', async () => {
    // The end consists of the last delimiter without its line break.
    for (let length = 0; length < bytes.length - 2; length++)
      await expect(read([bytes.slice(0, length)])).rejects.toMatchObject(malformed)
  })

  it.each([
    ['multipart/form-data', malformed],
    ['multipart/form-data; boundary=', malformed],
    ['multipart/form-data; boundary=c', malformed],
    ['multipart/form-data; boundary="b"', undefined],
    ['Multipart/Form-Data; Boundary=b; charset=utf-8', undefined],
    ['multipart/mixed; boundary=b', { status: 415 }],
    ['multipart/form-data; boundary=b, multipart/form-data; boundary=c', malformed],
  ])('of type %s', async (type, error) => {
    const result = read([bytes], {}, type)
    if (error === undefined) expect(await result).toMatchObject({ title: 'Zürich' })
    else await expect(result).rejects.toMatchObject(error)
  })

  it('has no folders in names of files', async () => {
    const sent = part('form-data; name="photos"; filename="../../a.png"', 'x')
    expect(await read([sent])).toMatchObject({ photos: [{ name: 'a.png' }] })
  })

  it('has a field of any name', async () => {
    const value = await read([part('form-data; name="__proto__"', 'x')])
    expect(Object.entries(value as object)).toEqual([
      ['photos', []],
      ['__proto__', 'x'],
    ])
  })

  it.each(['form-data', 'form-data; filename="a"'])(
    'is 400 for a part without a name: %s',
    async (disposition) => {
      await expect(read([part(disposition, 'x')])).rejects.toMatchObject(malformed)
    },
  )

  it('is 413 at the first part over the limit', async () => {
    const one = new TextEncoder().encode('--b\r\nContent-Disposition: form-data; name="photos"\r\n\r\n\r\n')
    const chunks = Array.from({ length: 10_000 }, () => one)
    await expect(read(chunks, { maxParts: 3 })).rejects.toMatchObject({ status: 413 })
  })

  it('is 413 over the limit of bytes', async () => {
    await expect(read([bytes, bytes], { limit: bytes.length })).rejects.toMatchObject({ status: 413 })
    expect(await read([bytes], { limit: bytes.length })).toMatchObject({ title: 'Zürich' })
  })
})
