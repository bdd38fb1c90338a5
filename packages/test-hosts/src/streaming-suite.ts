import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { opener, refusalOf, type OpenHost } from './opener.ts'

/** Defines what a host has to do beside {@link testHost} that takes bodies while they come in. */
export function testStreamingHost(name: string, open: OpenHost): void {
  describe(`a body that comes in over ${name}`, () => {
    const start = opener(open)

    it('is not read further than the limit', async () => {
      const send = await start()
      let sent = 0
      async function* endless() {
        for (; sent < 10_000; sent++) {
          yield new Uint8Array(1000)
          await sleep(1)
        }
      }
      expect(refusalOf(await send({ body: endless() }))).toEqual([413, 'PAYLOAD_TOO_LARGE'])
      expect(sent).toBeLessThan(5000)
    })

    it('is refused before it is sent when its announced length is over the limit', async () => {
      const send = await start()
      const { body, end } = held(1)
      const answer = await send({ body, announcedLength: 1001 })
      end()
      expect(refusalOf(answer)).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    })

    it('is cut off when it takes too long', async () => {
      const send = await start({ limits: { bodyTimeoutMs: 100 } })
      // It never ends by itself.
      const { body, end } = held(1)
      const answer = await send({ body })
      end()
      expect(refusalOf(answer)).toEqual([408, 'REQUEST_TIMEOUT'])
    })

    it.each([{ bytesInFlight: 100 }, { bytesInFlightPerAddress: 100 }])(
      'counts among those that are held, at most %o',
      async (limits) => {
        const arrived = Promise.withResolvers<number>()
        const send = await start({ limits }, arrived.resolve)
        const { body, end } = held(90)
        const first = send({ body })
        expect(await arrived.promise).toBe(90)
        const probe = () => send({ body: new Uint8Array(20) })
        const answer = await probe()
        expect(refusalOf(answer)).toEqual([503, 'OVERLOADED'])
        expect(answer.headers.get('retry-after')).toBe('1')
        end()
        expect(refusalOf(await first)).toEqual([401, 'INVALID_SIGNATURE'])
        expect(refusalOf(await probe())).toEqual([401, 'INVALID_SIGNATURE'])
      },
    )
  })
}

/** A body whose first bytes are sent, and whose end waits. */
function held(length: number): { body: AsyncIterable<Uint8Array<ArrayBuffer>>; end: () => void } {
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
