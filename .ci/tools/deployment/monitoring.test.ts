import { readFile } from 'node:fs/promises'
import { parser } from '@prometheus-io/lezer-promql'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { startInProcess } from '../../../examples/reference-server/test/in-process.ts'
import {
  getSecrets,
  sendWorkflowRun,
  temporaryDirectory,
} from '../../../examples/reference-server/test/server-process.ts'

const read = (name: string) =>
  readFile(new URL(`../../../examples/reference-server/monitoring/${name}`, import.meta.url), 'utf8')

const rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Sallyport[A-Za-z]+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[smh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['warning', 'critical']) }),
          annotations: z.strictObject({
            summary: z.string(),
            description: z.string(),
            runbook_url: z.url(),
          }),
        }),
      ),
    }),
  ),
})
const dashboard = z.looseObject({
  uid: z.string(),
  panels: z.array(
    z.looseObject({
      id: z.number(),
      title: z.string(),
      targets: z.array(z.looseObject({ expr: z.string() })),
    }),
  ),
})

/** The labels of each metric that a server exports. */
let metrics: ReadonlyMap<string, ReadonlySet<string>>

beforeAll(async () => {
  await using data = await temporaryDirectory()
  // Only what is outside of the database has a metric.
  const outside = {
    QUEUE_URL: 'nats://127.0.0.1:1/EVENTS',
    BODY_STORE_URL: 's3://acme?region=us-east-1&endpoint=http://127.0.0.1:1',
  }
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
  await using server = await startInProcess({ DATA_DIR: data.path, METRICS_PORT: '0', ...outside })
  const { WEBHOOK_SECRET_CODEHOST: secret = '' } = await getSecrets(data.path)
  await sendWorkflowRun(server.base, secret, { type: 'workflow_run.completed', payload: { run: 1 } })
  await fetch(`${server.base}/webhooks/codehost`, { method: 'POST', body: '{}' })
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(server.output()) ?? []
  const scrape = async () => readMetrics(await (await fetch(url)).text())
  metrics = await vi.waitUntil(
    async () => {
      const found = await scrape()
      return found.has('sallyport_publish_lag_seconds_count') && found.has('sallyport_bus_up') && found
    },
    { timeout: 60_000 },
  )
})

function readMetrics(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z_]+)(?:\{(.*)\})? /gm)) {
    const known = found.get(name) ?? new Set<string>()
    for (const [, label = ''] of labels.matchAll(/([a-z_]+)="/g)) known.add(label)
    found.set(name, known)
  }
  return found
}

/** Lists what an expression of PromQL names; a part that is no PromQL is an error. */
function readExpression(expression: string) {
  const names: Record<'metrics' | 'labels' | 'errors', string[]> = { metrics: [], labels: [], errors: [] }
  // Grafana replaces its variables before the query.
  const text = expression.replaceAll('$__rate_interval', '5m')
  parser.parse(text).iterate({
    enter({ type, from, to }) {
      const part = text.slice(from, to)
      if (type.isError) names.errors.push(text.slice(0, to))
      if (type.name === 'Identifier') names.metrics.push(part)
      if (type.name === 'LabelName') names.labels.push(part)
    },
  })
  return names
}

function check(expression: string): void {
  const { metrics: used, labels, errors } = readExpression(expression)
  expect({ expression, errors }).toEqual({ expression, errors: [] })
  expect(used).toHaveLength(1)
  const known = metrics.get(used[0] ?? '')
  expect({ expression, isExported: known !== undefined }).toEqual({ expression, isExported: true })
  for (const label of labels) expect([...(known ?? [])], expression).toContain(label)
}

describe('the monitoring', () => {
  it('has alerts on metrics that the server exports, each with a runbook', async () => {
    const { groups } = rules.parse(parse(await read('alerts.yaml')))
    const alerts = groups.flatMap((group) => group.rules)
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length)
    for (const { expr } of alerts) check(expr)
    for (const { annotations } of alerts) {
      const { pathname, hash } = new URL(annotations.runbook_url)
      const path = pathname.replace('/sallyport/sallyport/blob/main/', '../../../')
      const headings = (await readFile(new URL(path, import.meta.url), 'utf8')).matchAll(/^## (.+)$/gm)
      const anchors = [...headings].map(
        ([, heading = '']) => `#${heading.toLowerCase().replaceAll(' ', '-')}`,
      )
      expect(['', ...anchors]).toContain(hash)
    }
  })

  it('has a dashboard of metrics that the server exports', async () => {
    const { panels } = dashboard.parse(JSON.parse(await read('dashboard.json')))
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { targets } of panels) for (const { expr } of targets) check(expr)
  })

  it('is checked for unknown metrics and for text that is no PromQL', () => {
    expect(readExpression('max(sallyport_made_up{').errors).not.toEqual([])
    expect(() => {
      check('max(sallyport_made_up)')
    }).toThrow()
    expect(() => {
      check('sum by (made_up) (sallyport_deliveries_total)')
    }).toThrow()
  })
})
