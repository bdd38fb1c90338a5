import type { Result } from '../frame/result.ts'

/** A comparison of two sides of a benchmark. */
export interface Comparison {
  /** The operation, and the other side. */
  readonly label: string
  /** The id of the benchmark. */
  readonly id: string
  readonly ours: string
  readonly than: string
  /** Why this repository is slower. Empty if it is not. */
  readonly why: string
}

const compare =
  (id: string, ours: string, why = '') =>
  (label: string, than: string, because = why): Comparison => ({ label, id, ours, than, why: because })

const verify = (ours: string) => compare('webhooks/verify-10kb-one-secret', ours)
const standard = verify('@sallyport/webhooks, Standard Webhooks')
const durable = (ours: string, why = '') => compare('webhooks/durable', ours, why)
const host = compare('webhooks/hosts', 'reference server', 'the compared server keeps nothing')
const token = compare('auth/verify-hs256-cold', '@sallyport/auth')
const cached = compare('auth/verify-hs256-cached', '@sallyport/auth')
const user = compare('server/get-user', 'reference server')
const users = compare('server/list-users', 'reference server')

/** The comparisons of the first table. */
export const comparisons: readonly Comparison[] = [
  verify('@sallyport/webhooks')('verify GitHub: @octokit/webhooks-methods', '@octokit/webhooks-methods'),
  verify('@sallyport/webhooks, Stripe')('verify Stripe: stripe', 'stripe'),
  standard('verify Standard Webhooks: svix', 'svix'),
  standard('verify Standard Webhooks: standardwebhooks', 'standardwebhooks'),
  durable('gateway, SQLite')('receive, SQLite: Express, better-sqlite3', 'Express, better-sqlite3'),
  durable('gateway, PostgreSQL')(
    'receive, PostgreSQL: Express, pg',
    'Express, pg',
    'also records events and keys',
  ),
  durable('gateway, PostgreSQL')('receive, PostgreSQL: Express, pg-boss', 'Express, pg-boss'),
  durable('gateway, SQLite')('receive, SQLite: Express, BullMQ', 'Express, BullMQ'),
  durable('gateway, SQLite')('receive, SQLite: floor of one fsync', 'floor', 'also records events and keys'),
  host('receive: @octokit/webhooks without a store', '@octokit/webhooks'),
  host('receive: Express without a store', 'Express 5 with express.raw'),
  cached('verify a known token: fast-jwt with its cache', 'fast-jwt with its cache'),
  token('verify a new token: jose', 'jose'),
  token('verify a new token: fast-jwt', 'fast-jwt', 'also caches the token'),
  user('user by id: NestJS', 'NestJS on Express'),
  user('user by id: Express, bare', 'Express 5, bare', 'also checks sessions and limits'),
  user('user by id: Fastify', 'Fastify 5 with @fastify/jwt', 'also checks sessions and limits'),
  users('page of users: NestJS', 'NestJS on Express'),
  users('page of users: Fastify', 'Fastify 5 with @fastify/jwt', 'also checks sessions and limits'),
  compare(
    'rest/list-query',
    '@sallyport/rest',
    'also builds sort and conditions',
  )('list query: zod by hand', 'zod by hand'),
  compare('rest/cursor-decode', '@sallyport/rest')('signed cursor: HMAC by hand', 'HMAC by hand'),
  compare('engines/publish-kafka', 'dispatcher')('publish, Kafka: raw client', 'raw client'),
  compare(
    'engines/publish-nats',
    'dispatcher',
    'claims and settles each event',
  )('publish, JetStream: raw client', 'raw client'),
  compare(
    'engines/publish-rabbitmq',
    'dispatcher',
    'detects unroutable messages',
  )('publish, RabbitMQ: raw client', 'raw client'),
]

/** Ratios between these limits are a draw. */
const draw = { low: 0.95, high: 1.05 } as const

export const isFaster = (ratio: number): boolean => ratio > draw.high
export const isSlower = (ratio: number): boolean => ratio < draw.low

/**
 * Returns the ratio of the speeds of two sides: that of a target, the one of the result, or the ratio of the medians.
 *
 * @throws TypeError for an unknown side
 */
export function compareSpeeds({ base, sides, targets }: Result, name: string, than: string): number {
  const target = targets.find((one) => one.side === name && (one.than ?? base) === than && one.of !== 'value')
  if (target !== undefined) return target.reached
  const [side, other] = [name, than].map((wanted) => {
    const found = sides.find((candidate) => candidate.name === wanted)
    if (found === undefined) throw new TypeError(`The result has no side "${wanted}"`)
    return found
  })
  if (than === base && side?.ratio !== undefined) return side.ratio.median
  return (side?.value.median ?? 0) / (other?.value.median ?? 1)
}
