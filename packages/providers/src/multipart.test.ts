import { expect, it } from 'vitest'
import { readParts } from './multipart.ts'

const read = (text: string) => readParts(Buffer.from(text, 'latin1'))
const part = (head: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`

it('reads fields and files, also with bytes outside of UTF-8', () => {
  const file = part('name="attachment-1"; filename="a.bin"\r\nContent-Type: image/png', '\xff\r\n--\x00')
  expect(read(`${part('name="subject"', 'Hello')}${part('name="empty"', '')}${file}--b--\r\n`)).toEqual([
    { name: 'subject', value: Buffer.from('Hello') },
    { name: 'empty', value: Buffer.from('') },
    {
      name: 'attachment-1',
      filename: 'a.bin',
      contentType: 'image/png',
      value: Buffer.from('\xff\r\n--\x00', 'latin1'),
    },
  ])
})

it.each([
  ['a form', 'name=value'],
  ['no boundary', '--\r\n'],
  ['a long boundary', `--${'b'.repeat(80)}\r\n`],
  ['a part without an end', part('name="a"', 'x')],
  ['a part without a name', `${part('filename="a"', 'x')}--b--`],
  ['a part without a head', '--b\r\nx\r\n--b--'],
  ['too many parts', `${part('name="a"', 'x').repeat(1001)}--b--`],
])('rejects %s', (_, text) => {
  expect(read(text)).toBeUndefined()
})

/** Counts the calls of the search for one byte. */
class CountedBytes extends Uint8Array {
  calls = 0
  override indexOf(byte: number, from?: number): number {
    this.calls += 1
    return super.indexOf(byte, from)
  }
}

// Regression: 29 MB of carriage returns took 4 seconds before the verification.
it('searches a body of carriage returns without a call for each one', () => {
  const body = CountedBytes.from(Buffer.from(`--b\r\n${'\r'.repeat(1000)}`))
  expect(readParts(body)).toBeUndefined()
  expect(body).toMatchObject({ calls: 1 })
})

it('finds a separator after a part of it', () => {
  expect(read(`${part('name="a"', '\r\r\n\r\n--\r\n-')}--b--`)).toMatchObject([
    { name: 'a', value: Buffer.from('\r\r\n\r\n--\r\n-') },
  ])
})
