import { formatVerdicts, factor } from '../frame/table.ts'
import type { StoredResult } from '../results/results.ts'
import { comparisons, compareSpeeds, isFaster, isSlower } from './comparisons.ts'
import { computeGrowth, growing } from './growth.ts'
import { formatMeasurement, formatMedians, formatRows, listTables } from './tables.ts'

type Results = ReadonlyMap<string, StoredResult>

/** Formats docs/benchmarks.md. */
export function formatPage(stored: readonly StoredResult[]): string {
  const results = new Map(stored.map((one) => [one.id, one]))
  return `${[
    '# Benchmarks',
    'The page summarizes the newest results in `packages/bench/results.jsonl`. `npm run bench -- --show webhooks/durable` prints all figures of a benchmark and what each side does, and `npm run bench -- webhooks/durable` measures it. All comparisons are ratios of one run. Load generator, servers and databases share the cores of one machine, which also had other work.',
    formatGlance(results),
    ...formatSection(results, 'Receipt on the disk', 'webhooks/durable'),
    ...formatSection(results, 'Receipt at 70 % of the maximum rate', 'webhooks/durable-paced'),
    '## Publishing to a bus',
    'The dispatcher publishes 20,000 events of a kilobyte and settles each. The raw client only publishes them, with as many in flight.',
    listTables(stored).get('publish') ?? '',
    ...formatSection(results, 'REST frameworks: a list', 'frameworks/list-books'),
    ...formatSection(results, 'REST frameworks: a POST', 'frameworks/create-book'),
    ...formatSection(results, 'REST frameworks: types, lines and bundles', 'frameworks/source'),
    ...formatSection(results, 'Cold start of a worker', 'webhooks/cold-start-worker'),
    ...formatSection(results, 'Cold start of a Lambda function', 'webhooks/cold-start-lambda'),
    formatGrowth(results),
    formatTargets(stored),
    '## Method',
    'Each benchmark runs in a separate process. The sides of a table alternate in one run (A B B A …). A value is a median. A ratio is the median over the rounds; each round compares two turns of the same round. Other load on the machine makes figures noisy: compare ratios rather than rates. A load average near the number of cores indicates such load. Packages run from source; Node.js strips the types. `packages/bench/package.json` has the versions of the compared libraries.',
    '[What profiles showed](../packages/bench/notes.md) says where the time goes, and what was tried.',
  ].join('\n\n')}\n`
}

function formatGlance(results: Results): string {
  const rows = comparisons.flatMap(({ label, id, ours, than, why }) => {
    const stored = results.get(id)
    return stored === undefined ? [] : [{ label, why, ratio: compareSpeeds(stored.result, ours, than) }]
  })
  const count = (matches: (ratio: number) => boolean) => rows.filter(({ ratio }) => matches(ratio)).length
  const sorted = rows.toSorted((a, b) => b.ratio - a.ratio)
  return [
    '## At a glance',
    `Of ${rows.length} comparisons, this repository is faster in ${count(isFaster)} and slower in ${count(isSlower)}. The ratio is the speed of this repository ÷ that of the other side, which is named after the colon.`,
    formatRows(
      ['comparison', 'ratio', 'why it is slower'],
      sorted.map(({ label, ratio, why }) => [label, factor(ratio), isSlower(ratio) ? why : '']),
      [0, 2],
    ),
  ].join('\n\n')
}

function formatSection(results: Results, heading: string, id: string): readonly string[] {
  const stored = results.get(id)
  if (stored === undefined) return []
  const { measurement, result } = stored
  return [`## ${heading}`, `${result.what} ${formatMeasurement(measurement)}`, formatMedians(result)]
}

function formatGrowth(results: Results): string {
  const rows = growing.flatMap(([size, operation, id]) => {
    const stored = results.get(id)
    if (stored === undefined) return []
    const { first, last, slope } = computeGrowth(stored.result)
    return [[size, operation, `${first} – ${last}`, `× ${slope.toFixed(2)}`]]
  })
  return [
    '## Cost as work grows',
    'The cost is the time of one operation. The factor for ten times the size is a fit by least squares on logarithmic axes: × 1.00 is a constant cost, × 10 a proportional one.',
    formatRows(['what grows', 'operation', 'range', 'cost for ten times'], rows, [0, 1]),
  ].join('\n\n')
}

function formatTargets(stored: readonly StoredResult[]): string {
  const targets = stored.flatMap(({ id, result }) =>
    formatVerdicts(result).map((verdict, index) => ({
      line: `- ${id}: ${verdict.replace('Target: ', '')}`,
      met: result.targets[index]?.met,
    })),
  )
  const missed = targets.filter(({ met }) => met !== true)
  return [
    '## Missed targets',
    `${targets.length - missed.length} of ${targets.length} targets are met. The others:`,
    missed.map(({ line }) => line).join('\n'),
  ].join('\n\n')
}
