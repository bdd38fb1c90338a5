import type { Benchmark } from '../frame/benchmark.ts'
import { defineHttp } from '../frame/http.ts'
import { numberedDeliveries } from '../frame/numbered.ts'
import { defineTrial } from '../frame/trial.ts'
import { createRunLoad } from './delivery.ts'
import { readResidentMb } from './resident-memory.ts'
import { seedEndpoints, startWithEndpoints, type EndpointDatabase } from './seed-endpoints.ts'
import { openStage, readOutcome, type Stage } from './stage.ts'

const many = 100_000
const names = {
  one: '1 endpoint',
  some: '1,000 endpoints',
  many: '100,000 endpoints',
  first: '100,000 endpoints, first lookups',
}
const databases = [
  ['sqlite', 'SQLite'],
  ['postgres', 'PostgreSQL'],
] as const

const accept = databases.map(([kind, title]): Benchmark =>
  defineHttp<Stage>({
    name: `endpoints-accept-${kind}`,
    what: `Signed deliveries of 21 KB to endpoints in ${title}, with an inbox in the same database, over 64 connections.`,
    unit: 'deliveries/s',
    base: names.one,
    connections: 64,
    prepare: openStage,
    release: ({ close }) => close(),
    requests: () => [createRunLoad()],
    agree: readOutcome,
    target: [
      { side: names.many, atLeast: 0.9 },
      { side: names.first, atLeast: 0.9 },
    ],
    sides: [
      { name: names.one, does: 'All deliveries have the same address.', endpoints: 1 },
      {
        name: names.some,
        does: 'Each delivery has the address of the next endpoint. All endpoints were looked up before.',
        endpoints: 1000,
        environment: { WARM: '1' },
      },
      {
        name: names.many,
        does: 'The same with more endpoints.',
        endpoints: many,
        environment: { WARM: '1' },
      },
      {
        name: names.first,
        does: 'After a start: most deliveries are the first of their endpoint in the process and miss the cache.',
        endpoints: many,
      },
    ].map(({ name, does, endpoints, environment }) => ({
      name,
      does,
      start: async (stage) =>
        startWithEndpoints({ ...(await seedEndpoints(stage, kind, endpoints)), ...environment }),
      requests: () => [createRunLoad(undefined, endpoints)],
    })),
  }),
)

interface Seeded extends Stage {
  readonly environments: ReadonlyMap<string, Readonly<Record<string, string>>>
}

const key = (kind: EndpointDatabase, count: number): string => `${kind} ${count}`

/** Measures the time to the first response, and the memory after each endpoint was looked up, in separate processes. */
async function start(environment: Readonly<Record<string, string>>) {
  const request = createRunLoad(undefined, 1)
  const { path, headers, body } = numberedDeliveries(request)()
  const startedAt = performance.now()
  let value: number
  const server = await startWithEndpoints(environment)
  try {
    const response = await fetch(server.url + path, { method: 'POST', headers, body })
    if (readOutcome(await response.json()) !== 'accepted') throw new Error('The delivery is not accepted')
    value = performance.now() - startedAt
  } finally {
    await server.stop()
  }
  const warm = await startWithEndpoints({ ...environment, WARM: '1' })
  try {
    return { value, also: { 'MB with all cached': readResidentMb(warm) } }
  } finally {
    await warm.stop()
  }
}

const starts = defineTrial<Seeded>({
  name: 'endpoints-start',
  what: 'Time from the start of a process to the response to its first delivery, and resident memory after all endpoints were looked up.',
  unit: 'ms',
  base: `SQLite, ${names.one}`,
  ratio: 'value',
  rounds: 3,
  target: { side: `SQLite, ${names.many}`, atMost: 1.2 },
  async prepare() {
    const stage = await openStage()
    try {
      const environments = new Map<string, Readonly<Record<string, string>>>()
      for (const [kind] of databases)
        for (const count of [1, many])
          environments.set(key(kind, count), await seedEndpoints(stage, kind, count))
      return { ...stage, environments }
    } catch (error) {
      await stage.close()
      throw error
    }
  },
  release: ({ close }) => close(),
  sides: databases.flatMap(([kind, title]) =>
    [[names.one, 1] as const, [names.many, many] as const].map(([name, count]) => ({
      name: `${title}, ${name}`,
      does: 'The gateway with the endpoints and the inbox in one database.',
      turn: ({ environments }) => start(environments.get(key(kind, count)) ?? {}),
    })),
  ),
})

export default [...accept, starts]
