import { setTimeout as sleep } from 'node:timers/promises'
import { openReceiver, type Receiver } from '@sallyport/test-support/hosts'
import { describeWith } from '@sallyport/test-support/services'
import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { startServerProcess, temporaryDirectory } from '../test/server-process.ts'
import { startLoad } from './load.ts'

const secret = 'the secret of the code host'
const answers = [204, 503, (response) => response.socket?.resetAndDestroy()] satisfies Parameters<
  Receiver['answer']
>[0][]

const listReceived = ({ requests }: Receiver): ReadonlySet<string> =>
  new Set(
    requests.flatMap(({ headers }) =>
      String(headers['sallyport-event-ids']).split(',').map(decodeURIComponent),
    ),
  )

/** Kills the server again and again while it receives and sends, and the receiver answers, fails or resets. */
async function expectNothingLost(rounds: number, environment: Record<string, string>): Promise<void> {
  await using receiver = await openReceiver()
  const settings = {
    ...{
      TRUST_PROXY: '1',
      LOG_LEVEL: 'silent',
      WEBHOOK_SECRET_CODEHOST: secret,
      DESTINATION_ALLOW_PRIVATE: '1',
    },
    ...{
      BUS_URL: `deliver+${receiver.url}`,
      DESTINATION_SECRET: `whsec_${btoa('the secret of the destination...')}`,
    },
    ...environment,
  }
  const acknowledged = new Set<string>()
  const signed = new Set<string>()
  const moments = fc.sample(fc.integer({ min: 0, max: 300 }), { seed: inject('seed'), numRuns: rounds })
  for (const [round, moment] of moments.entries()) {
    receiver.answer(answers[round % answers.length] ?? 204)
    await using server = await startServerProcess(settings)
    const load = startLoad({ base: server.base, secret, first: round * 10_000 + 1 })
    await expect.poll(() => load.acknowledged.size, { interval: 5 }).toBeGreaterThan(0)
    await sleep(moment)
    await server.end('SIGKILL')
    await load.stop()
    for (const id of load.acknowledged) acknowledged.add(id)
    for (const id of load.signed) signed.add(id)
  }
  receiver.answer(204)
  await using server = await startServerProcess(settings)
  const findMissing = () => [...acknowledged].filter((id) => !listReceived(receiver).has(id))
  await expect.poll(() => findMissing().length, { timeout: 120_000, interval: 500 }).toBe(0)
  expect([...listReceived(receiver)].filter((id) => !signed.has(id))).toEqual([])
  expect(await server.end('SIGTERM')).toBe(0)
}

describe('a server that is killed while it sends to a destination', { timeout: 600_000 }, () => {
  it('sends all that it acknowledged, and nothing that is forged: 9 times over one file', async () => {
    await using data = await temporaryDirectory()
    await expectNothingLost(9, { DATA_DIR: data.path })
  })

  describeWith('postgres', (postgres) => {
    it('sends all that it acknowledged, and nothing that is forged: 3 times', async () => {
      await using data = await temporaryDirectory()
      await expectNothingLost(3, { DATA_DIR: data.path, DATABASE_URL: postgres().url })
    })
  })
})
