import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgres } from '@sallyport/sql/postgres'
import { openSqlite, type EmbeddedBus } from '@sallyport/sql/sqlite'
import { describeWith } from '@sallyport/test-support/services'
import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { startServerProcess, temporaryDirectory } from '../test/server-process.ts'
import { expectPublished } from './bus.ts'
import { startLoad } from './load.ts'

const secret = 'the secret of the code host'

/** Kills the server again and again under load; answers what was acknowledged and signed in all rounds. */
async function killAtRandom(rounds: number, environment: Record<string, string>) {
  const moments = fc.sample(fc.integer({ min: 0, max: 300 }), { seed: inject('seed'), numRuns: rounds })
  const acknowledged = new Set<string>()
  const signed = new Set<string>()
  const said = new Set<string>()
  let cutOff = 0
  for (const [round, moment] of moments.entries()) {
    await using server = await startServerProcess(environment)
    const load = startLoad({ base: server.base, secret, first: round * 10_000 + 1 })
    await expect.poll(() => load.acknowledged.size, { interval: 5 }).toBeGreaterThan(0)
    await sleep(moment)
    await server.end('SIGKILL')
    await load.stop()
    for (const id of load.acknowledged) acknowledged.add(id)
    for (const id of load.signed) signed.add(id)
    for (const answer of load.answers.keys()) said.add(answer)
    cutOff += load.cutOff
  }
  // Otherwise it was not killed under load.
  expect(cutOff).toBeGreaterThanOrEqual(rounds)
  expect([...said].sort()).toEqual(['200 accepted', '200 duplicate', '401 INVALID_SIGNATURE'])
  return { acknowledged, signed }
}

async function expectNothingLost(
  rounds: number,
  environment: Record<string, string>,
  open: () => Promise<{ bus(): EmbeddedBus; close(): Promise<void> }>,
): Promise<void> {
  const all = { TRUST_PROXY: '1', LOG_LEVEL: 'silent', WEBHOOK_SECRET_CODEHOST: secret, ...environment }
  const sent = await killAtRandom(rounds, all)
  expect(sent.acknowledged.size).toBeGreaterThan(rounds)
  await using server = await startServerProcess(all)
  const database = await open()
  await expectPublished(database.bus(), sent)
  await database.close()
  expect(await server.end('SIGTERM')).toBe(0)
}

describe('a server that is killed at any moment', { timeout: 600_000 }, () => {
  it('publishes all that it acknowledged, once, and nothing that is forged: 20 times over one file', async () => {
    await using data = await temporaryDirectory()
    const open = () => openSqlite({ path: join(data.path, 'sallyport.db') })
    await expectNothingLost(20, { DATA_DIR: data.path }, open)
  })

  describeWith('postgres', (postgres) => {
    it('publishes all that it acknowledged, once, and nothing that is forged: 5 times', async () => {
      await using data = await temporaryDirectory()
      const environment = { DATA_DIR: data.path, DATABASE_URL: postgres().url }
      await expectNothingLost(5, environment, () => openPostgres(postgres()))
    })
  })
})
