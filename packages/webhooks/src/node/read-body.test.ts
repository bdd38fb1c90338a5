import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { readBody } from './request.ts'

describe('readBody', () => {
  it('rejects a second reader', async () => {
    const request = new IncomingMessage(new Socket())
    const chunks: Uint8Array[] = []
    const sink = { timeoutMs: 60_000, push: (chunk: Uint8Array) => chunks.push(chunk) }
    const first = readBody(request, sink)
    await expect(readBody(request, sink)).rejects.toThrow('mount the gateway before body parsers')
    request.push('a body')
    request.push(null)
    await first
    expect(Buffer.concat(chunks).toString()).toBe('a body')
    await expect(readBody(request, sink)).rejects.toThrow('mount the gateway before body parsers')
  })

  it('reads all chunks of a complete body', async () => {
    // Node.js 26 returns one chunk at a time.
    for (const together of [true, false]) {
      const request = new IncomingMessage(new Socket())
      for (const chunk of ['a ', 'whole ', 'body', null]) request.push(chunk)
      request.complete = true
      const chunks: Uint8Array[] = []
      const given: (Buffer | null)[] = [Buffer.from('a '), Buffer.from('whole '), Buffer.from('body'), null]
      if (!together) request.read = () => given.shift()
      await readBody(request, { timeoutMs: 60_000, push: (chunk) => chunks.push(chunk) })
      expect(Buffer.concat(chunks).toString()).toBe('a whole body')
    }
  })

  it('rejects a body with an encoding or another reader', async () => {
    const taken: ((request: IncomingMessage) => unknown)[] = [
      (request) => request.setEncoding('utf8'),
      (request) => request.on('readable', () => undefined),
    ]
    for (const take of taken) {
      const request = new IncomingMessage(new Socket())
      take(request)
      const sink = { timeoutMs: 60_000, push: () => undefined }
      await expect(readBody(request, sink)).rejects.toThrow('mount the gateway before body parsers')
    }
  })

  it('removes its listeners', async () => {
    const listeners = (request: IncomingMessage) =>
      ['data', 'end', 'error', 'close'].map((name) => request.listenerCount(name))
    for (const end of ['whole', 'refused', 'late', 'closed']) {
      const request = new IncomingMessage(new Socket())
      const before = listeners(request)
      const push = () => {
        if (end === 'refused') throw new RangeError('too large')
      }
      const reading = readBody(request, { timeoutMs: end === 'late' ? 0 : 60_000, push })
      if (end === 'closed') request.destroy()
      else request.push('a body')
      if (end === 'whole') request.push(null)
      const outcome = await reading.catch((error: unknown) => {
        const { code, name } = error as Error & { code?: string }
        return code ?? name
      })
      const expected = { refused: 'RangeError', late: 'REQUEST_TIMEOUT', closed: 'BAD_REQUEST' }[end]
      expect([outcome, listeners(request)]).toEqual([expected, before])
    }
  })
})
