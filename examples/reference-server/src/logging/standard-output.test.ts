import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { createOutput } from './standard-output.ts'

/** A stream that records each write and confirms it only when `readAll` is called. */
function slowReader() {
  const written: string[][] = []
  const callbacks: (() => void)[] = []
  const stream = new Writable({
    decodeStrings: false,
    writev(chunks, callback) {
      written.push(chunks.map(({ chunk }) => chunk as string))
      callbacks.push(callback)
    },
  })
  const readAll = () => {
    for (const callback of callbacks.splice(0)) callback()
  }
  return { stream, written, readAll }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('writes the lines of one event loop turn together', async () => {
  const { stream, written } = slowReader()
  const output = createOutput(stream)
  output.write('one\n')
  output.write('two\n')
  expect(written).toEqual([])
  await turn()
  expect(written).toEqual([['one\n', 'two\n']])
})

it('drops lines over the buffer limit and reports their number later', async () => {
  const { stream, written, readAll } = slowReader()
  const omitted: number[] = []
  const output = createOutput(stream, { waiting: 10, onOmitted: (lines) => omitted.push(lines) })
  for (const line of ['first\n', 'second\n', 'third\n', 'fourth\n']) output.write(line)
  await turn()
  expect(omitted).toEqual([])
  readAll()
  await turn()
  output.write('fifth\n')
  await turn()
  expect(omitted).toEqual([2])
  expect(written.flat()).toEqual(['first\n', 'second\n', 'fifth\n'])
})

it('flushes written lines within a timeout', async () => {
  const { stream, written, readAll } = slowReader()
  const output = createOutput(stream)
  output.write('one\n')
  await output.flush(1)
  expect(written).toEqual([['one\n', '']])
  const flushed = output.flush(60_000)
  readAll()
  await turn()
  readAll()
  await flushed
})

it('ignores a reader that has closed the stream', async () => {
  const stream = new Writable({
    write(_chunk, _encoding, callback) {
      callback(new Error('EPIPE'))
    },
  })
  const output = createOutput(stream)
  output.write('one\n')
  await turn()
  output.write('two\n')
  await output.flush(60_000)
  expect(stream.destroyed).toBe(true)
})
