import { defineHttp, type HttpSide } from '../frame/http.ts'
import { runOf } from './delivery.ts'
import { openStage, outcomeOf, startGateway, startPeer, type Stage } from './stage.ts'

const names = {
  bare: 'node:http, bare',
  memory: 'memory inbox',
  sqlite: 'SQLite inbox',
  postgres: 'PostgreSQL inbox',
}

const sides: readonly HttpSide<Stage>[] = [
  {
    name: names.bare,
    does: 'Reads the body, compares its HMAC in constant time, parses it, answers. No limits, no time-outs, no events, no memory of what came before: a delivery that comes twice is two.',
    start: () => startPeer('bare'),
  },
  {
    name: names.memory,
    does: 'The whole gateway: failure limit, body limits and time-out, signature, schema, event, idempotency key, headers redacted, recorded in memory, and published in batches to a bus that keeps nothing. Schemas are compiled.',
    start: (stage) => startGateway(stage, 'memory'),
  },
  {
    name: names.sqlite,
    does: 'The same, recorded in a SQLite file with `synchronous=FULL` and its body compressed, both in a worker thread; answered once it is on the disk.',
    start: (stage) => startGateway(stage, 'sqlite'),
  },
  {
    name: names.postgres,
    does: 'The same, recorded in PostgreSQL over loopback, which runs on the same cores.',
    start: (stage) => startGateway(stage, 'postgres'),
  },
]

const common = {
  unit: 'deliveries/s',
  connections: 64,
  prepare: openStage,
  release: ({ close }: Stage) => close(),
  requests: () => [runOf()],
  agree: outcomeOf,
} as const
const who = '64 connections; the load runs on the same machine'

export default [
  defineHttp({
    ...common,
    name: 'accept',
    what: `A signed delivery of a workflow run of 21 KB, each another event, over node:http; ${who}.`,
    base: names.bare,
    sides,
    target: [
      { side: names.memory, atLeast: 0.95 },
      { side: names.sqlite, than: names.memory, atLeast: 0.9 },
      { side: names.postgres, than: names.memory, atLeast: 0.75 },
    ],
  }),
  defineHttp({
    ...common,
    name: 'accept-paced',
    what: `The same at 70 % of the rate that each of them took at most just before; ${who}.`,
    base: names.memory,
    ratio: 'p99',
    share: 0.7,
    sides: sides.filter(({ name }) => name !== names.bare),
    target: [
      { side: names.sqlite, atMost: 2 },
      { side: names.postgres, atMost: 2 },
    ],
  }),
]
