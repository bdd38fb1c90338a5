import { createInterface, type Interface } from 'node:readline'
import { Writable, type Readable } from 'node:stream'
import type { Io } from './io.ts'

/**
 * Creates a function that asks questions on a terminal, and reads lines of other inputs. A hidden answer is not echoed.
 *
 * @param output - where questions are shown
 */
export function createPrompt(
  input: Readable & { readonly isTTY?: boolean },
  output: NodeJS.WritableStream,
): { readonly prompt: NonNullable<Io['prompt']>; readonly close: () => void } {
  let lines: { readonly reader: Interface; readonly iterator: AsyncIterator<string, undefined> } | undefined
  let hidden = false
  const echo = new Writable({
    write(chunk: Uint8Array, _, done) {
      if (!hidden) output.write(chunk)
      done()
    },
  })

  function open() {
    const reader = createInterface({ input, output: echo, terminal: input.isTTY === true })
    reader.on('SIGINT', () => {
      output.write('\n')
      reader.close()
    })
    return { reader, iterator: reader[Symbol.asyncIterator]() as AsyncIterator<string, undefined> }
  }

  return {
    async prompt(question, options) {
      lines ??= open()
      if (input.isTTY === true) output.write(question)
      hidden = options.hidden
      const { value } = await lines.iterator.next()
      if (hidden && input.isTTY === true) output.write('\n')
      hidden = false
      return value
    },
    close() {
      lines?.reader.close()
    },
  }
}
