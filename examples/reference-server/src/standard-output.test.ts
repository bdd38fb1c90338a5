import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { outputTo } from './standard-output.ts'

/** Keeps what it was given, one array for each write, and takes nothing more until it is let. */
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

it('writes the lines of a turn at once', async () => {
  const { stream, written } = slowReader()
  const output = outputTo(stream)
  output.write('one\n')
  output.write('two\n')
  expect(written).toEqual([])
  await turn()
  expect(written).toEqual([['one\n', 'two\n']])
})

it('leaves out what a slow reader has no room for, and says how much once there is room', async () => {
  const { stream, written, readAll } = slowReader()
  const omitted: number[] = []
  const output = outputTo(stream, { waiting: 10, onOmitted: (lines) => omitted.push(lines) })
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

it('flushes what was written, and does not wait for ever', async () => {
  const { stream, written, readAll } = slowReader()
  const output = outputTo(stream)
  output.write('one\n')
  await output.flush(1)
  expect(written).toEqual([['one\n', '']])
  const flushed = output.flush(60_000)
  readAll()
  await turn()
  readAll()
  await flushed
})

it('goes on when the reader has gone', async () => {
  const stream = new Writable({
    write(_chunk, _encoding, callback) {
      callback(new Error('EPIPE'))
    },
  })
  const output = outputTo(stream)
  output.write('one\n')
  await turn()
  output.write('two\n')
  await output.flush(60_000)
  expect(stream.destroyed).toBe(true)
})
