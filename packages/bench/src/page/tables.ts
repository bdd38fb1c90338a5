import type { Result, SideResult } from '../frame/result.ts'
import { align, amount, factor, ratioHeads } from '../frame/table.ts'
import type { Measurement, StoredResult } from '../results/results.ts'

/** Formats rows. All columns are numbers, except those with the positions `texts`. */
export function formatRows(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  texts: readonly number[] = [0],
): string {
  return align([head, head.map((_, column) => (texts.includes(column) ? '-' : '-:')), ...rows])
}

/** Formats the medians of a result, with a row for each side. */
export function formatMedians({ unit, ratioKind, base, sides }: Result): string {
  const hasLatency = sides.some(({ latency }) => latency !== undefined)
  const further = Object.keys(sides[0]?.also ?? {})
  return formatRows(
    ['', unit, ...(hasLatency ? ['p99 ms'] : []), ...further, ratioHeads[ratioKind](base)],
    sides.map(({ name, value, latency, also, ratio }) => [
      name,
      amount(value.median),
      ...(hasLatency ? [latency?.p99.toFixed(1) ?? ''] : []),
      ...further.map((key) => amount(also?.[key] ?? 0)),
      factor(ratio?.median ?? 1),
    ]),
  )
}

/** Says where and when results were measured. */
export function formatMeasurement({ date, commit, cpu, cores, loadAverage }: Measurement): string {
  const load = loadAverage === undefined ? '' : ` and a load average of ${loadAverage.toFixed(1)} before`
  return `Measured on ${date} at commit ${commit}, on ${cpu} with ${cores} cores${load}.`
}

/** The tables that other pages show, by their names. Each benchmark is a table of its medians. */
export function listTables(results: readonly StoredResult[]): ReadonlyMap<string, string> {
  return new Map([
    ...results.map(({ id, result }) => [id, formatMedians(result)] as const),
    ['publish', formatPublish(results)],
    ['capacity', formatCapacity(results)],
  ])
}

const buses: readonly (readonly [name: string, id: string])[] = [
  ['JetStream', 'engines/publish-nats'],
  ['Redis', 'engines/publish-redis'],
  ['RabbitMQ', 'engines/publish-rabbitmq'],
  ['Kafka', 'engines/publish-kafka'],
  ['SQS (ElasticMQ)', 'engines/publish-sqs'],
]

function formatPublish(results: readonly StoredResult[]): string {
  const rows = buses.map(([name, id]) => {
    const { value, ratio } = findSide(results, id, 'dispatcher')
    const { date, cpu } = results.find((one) => one.id === id)?.measurement ?? {}
    return [name, amount(value.median), factor(ratio?.median ?? 1), `${date}, ${cpu}`]
  })
  return formatRows(['bus', 'events/s', '× raw client', 'measured'], rows, [0, 3])
}

function formatCapacity(results: readonly StoredResult[]): string {
  const rate = (id: string, side: string) => `${amount(findSide(results, id, side).value.median)}/s`
  const { also } = findSide(results, 'engines/replicas', '1 gateway')
  return formatRows(
    ['', 'SQLite', 'PostgreSQL'],
    [
      [
        'accepted, two cores for everything',
        rate('webhooks/accept', 'SQLite inbox'),
        rate('webhooks/accept', 'PostgreSQL inbox'),
      ],
      [
        'recorded, without HTTP and without a bus',
        rate('engines/record-sqlite', 'inbox'),
        rate('engines/record-postgres', 'inbox'),
      ],
      ['processor time of the gateway', '', `${amount(also?.['gateway CPU ms each'] ?? 0)} ms`],
      ['processor time of the database', '', `${amount(also?.['PostgreSQL CPU ms each'] ?? 0)} ms`],
    ],
  )
}

/** @throws TypeError for an unknown benchmark or side */
function findSide(results: readonly StoredResult[], id: string, name: string): SideResult {
  const side = results.find((one) => one.id === id)?.result.sides.find((one) => one.name === name)
  if (side === undefined) throw new TypeError(`There is no stored result of ${id} with the side "${name}"`)
  return side
}
