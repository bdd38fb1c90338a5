import { createReadStream } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerDownload, type Download } from './answer-download.ts'
import { formatContentDisposition } from './content-disposition.ts'

const content = '0123456789'

function createDownload(options: Partial<Download> = {}) {
  const opened: unknown[] = []
  const download: Download = {
    size: content.length,
    etag: '"1"',
    async *open(range) {
      opened.push(range)
      await Promise.resolve()
      for (const character of content.slice(range.start, range.end + 1)) yield Buffer.from(character)
    },
    ...options,
  }
  return { opened, download }
}

const send = (headers: Readonly<Record<string, string>>, options: Partial<Download> = {}, method = 'GET') => {
  const { download, opened } = createDownload(options)
  const conditions = { method, ifMatch: headers['if-match'] }
  return { ...answerDownload({ conditions, header: (name) => headers[name] }, download), opened }
}

describe('a download', () => {
  it('has all bytes without a range', async () => {
    const { status, headers, body } = send({})
    expect([status, await text(body)]).toEqual([200, content])
    expect(headers).toEqual({
      'Accept-Ranges': 'bytes',
      'Content-Length': '10',
      'Content-Disposition': 'attachment',
      ETag: '"1"',
      'Cache-Control': 'private, no-cache',
      Vary: 'Authorization, Accept',
    })
  })

  it.each([
    ['bytes=0-0', 'bytes 0-0/10', '0'],
    ['bytes=2-4', 'bytes 2-4/10', '234'],
    ['Bytes=8-', 'bytes 8-9/10', '89'],
    ['bytes=8-99999999999999999999', 'bytes 8-9/10', '89'],
    ['bytes=-3', 'bytes 7-9/10', '789'],
    ['bytes=-99', 'bytes 0-9/10', content],
  ])('has the range %s', async (range, sent, bytes) => {
    const { status, headers, body } = send({ range })
    expect([status, headers['Content-Range'], await text(body)]).toEqual([206, sent, bytes])
    expect(headers['Content-Length']).toBe(String(bytes.length))
  })

  it.each(['bytes=4-2', 'bytes=-', 'bytes=a-b', 'bytes=0-1,3-4', 'items=0-1', 'bytes', 'bytes=0x1-2', ''])(
    'has all bytes for the range %j',
    async (range) => {
      const { status, body } = send({ range })
      expect([status, await text(body)]).toEqual([200, content])
    },
  )

  it.each([
    ['bytes=10-', 10],
    ['bytes=99999999999999999999-', 10],
    ['bytes=-0', 10],
    ['bytes=0-', 0],
  ])('is 416 for the range %s of %i bytes', (range, size) => {
    expect(() => send({ range }, { size })).toThrow(
      expect.objectContaining({
        status: 416,
        code: 'RANGE_NOT_SATISFIABLE',
        headers: { 'Content-Range': `bytes */${size}` },
      }) as Error,
    )
  })

  it.each([
    ['"1"', 206],
    ['"2"', 200],
    ['W/"1"', 200],
    ['Sat, 31 Jan 2026 12:00:00 GMT', 200],
  ])('for If-Range %s is %i', (ifRange, status) => {
    expect(send({ range: 'bytes=0-1', 'if-range': ifRange }).status).toBe(status)
  })

  it('is complete for If-Range without a strong ETag', () => {
    const headers = { range: 'bytes=0-1', 'if-range': 'W/"1"' }
    expect(send(headers, { etag: 'W/"1"' as '"1"' }).status).toBe(200)
  })

  it('is 412 for another ETag in If-Match', () => {
    expect(() => send({ 'if-match': '"2"' })).toThrow(expect.objectContaining({ status: 412 }) as Error)
  })

  it('ignores a range of HEAD', () => {
    expect(send({ range: 'bytes=0-1' }, {}, 'HEAD')).toMatchObject({
      status: 200,
      headers: { 'Content-Length': '10' },
    })
  })

  it('opens the bytes only if they are read', async () => {
    const { body, opened } = send({})
    await body.cancel()
    expect(opened).toEqual([])
    const empty = send({}, { size: 0 })
    expect([await text(empty.body), empty.headers['Content-Length'], empty.opened]).toEqual(['', '0', []])
  })

  it('closes the source when the client disconnects', async () => {
    let isClosed = false
    const { body } = send(
      {},
      {
        async *open() {
          try {
            for (;;) yield await Promise.resolve(Buffer.from('0'))
          } finally {
            isClosed = true
          }
        },
      },
    )
    const reader = body.getReader()
    await reader.read()
    await reader.cancel()
    expect(isClosed).toBe(true)
  })

  it.each([5, 11])('fails if the source has %i bytes', async (length) => {
    async function* open() {
      yield await Promise.resolve(Buffer.alloc(length))
    }
    await expect(text(send({}, { open }).body)).rejects.toThrow('another number of bytes')
  })

  it('reads a file', async () => {
    const path = fileURLToPath(import.meta.url)
    const { body } = send(
      { range: 'bytes=0-5' },
      { size: 100, open: (range) => createReadStream(path, range) },
    )
    expect(await text(body)).toBe('import')
  })

  it.each([-1, 1.5, Number.NaN])('refuses the size %d', (size) => {
    expect(() => send({}, { size })).toThrow(TypeError)
  })
})

describe('Content-Disposition', () => {
  it.each([
    ['a.pdf', 'attachment; filename="a.pdf"'],
    ['Zürich.pdf', `attachment; filename="Z_rich.pdf"; filename*=UTF-8''Z%C3%BCrich.pdf`],
    ['a "b".pdf', `attachment; filename="a _b_.pdf"; filename*=UTF-8''a%20%22b%22.pdf`],
    ["50% (it's).pdf", `attachment; filename="50_ (it's).pdf"; filename*=UTF-8''50%25%20%28it%27s%29.pdf`],
    ['../../etc/passwd', 'attachment; filename=".._.._etc_passwd"'],
    ['a\r\nSet-Cookie: x', 'attachment; filename="a__Set-Cookie: x"'],
    ['\ud800.pdf', `attachment; filename="_.pdf"; filename*=UTF-8''%EF%BF%BD.pdf`],
    ['日本', `attachment; filename="__"; filename*=UTF-8''%E6%97%A5%E6%9C%AC`],
  ])('has the name %j', (filename, value) => {
    expect(formatContentDisposition('attachment', filename)).toBe(value)
  })

  it('may have no name', () => {
    expect(formatContentDisposition('inline')).toBe('inline')
  })
})
