import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createOpener, readError, type OpenHost } from './opener.ts'

/** Defines the tests that a host with streamed bodies must pass in addition to {@link testHost}. */
export function testStreamingHost(name: string, open: OpenHost): void {
  describe(`a streamed body over ${name}`, () => {
    const start = createOpener(open)

    it('is not read beyond the limit', async () => {
      const send = await start()
      let sent = 0
      async function* endless() {
        for (; sent < 10_000; sent++) {
          yield new Uint8Array(1000)
          await sleep(1)
        }
      }
      expect(readError(await send({ body: endless() }))).toEqual([413, 'PAYLOAD_TOO_LARGE'])
      expect(sent).toBeLessThan(5000)
    })

    it('is rejected before it is sent if Content-Length is over the limit', async () => {
      const send = await start()
      const { body, end } = createPausedBody(1)
      const answer = await send({ body, announcedLength: 1001 })
      end()
      expect(readError(answer)).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    })

    it('times out', async () => {
      const send = await start({ limits: { bodyTimeoutMs: 100 } })
      const { body, end } = createPausedBody(1)
      const answer = await send({ body })
      end()
      expect(readError(answer)).toEqual([408, 'REQUEST_TIMEOUT'])
    })

    it.each([{ bytesInFlight: 100 }, { bytesInFlightPerAddress: 100 }])(
      'counts towards the bytes in flight, at most %o',
      async (limits) => {
        const arrived = Promise.withResolvers<number>()
        const send = await start({ limits }, arrived.resolve)
        const { body, end } = createPausedBody(90)
        const first = send({ body })
        expect(await arrived.promise).toBe(90)
        const probe = () => send({ body: new Uint8Array(20) })
        const answer = await probe()
        expect(readError(answer)).toEqual([503, 'OVERLOADED'])
        expect(answer.headers.get('retry-after')).toBe('1')
        end()
        expect(readError(await first)).toEqual([401, 'INVALID_SIGNATURE'])
        expect(readError(await probe())).toEqual([401, 'INVALID_SIGNATURE'])
      },
    )
  })
}

/** Creates a body whose first bytes are sent and whose end waits. */
function createPausedBody(length: number): { body: AsyncIterable<Uint8Array<ArrayBuffer>>; end: () => void } {
  const waiting = Promise.withResolvers<undefined>()
  async function* chunks() {
    yield new Uint8Array(length)
    await waiting.promise
  }
  return {
    body: chunks(),
    end: () => {
      waiting.resolve(undefined)
    },
  }
}
