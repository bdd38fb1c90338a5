import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { openSqlite } from '@sallyport/sql/sqlite'
import { createEvent } from '@sallyport/webhooks/testing'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { observeBusConsumers } from './bus-consumers.ts'
import { prometheusText } from './metrics.ts'

it('observes the unread events of each consumer of the embedded bus', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sallyport-consumers-'))
  const database = await openSqlite({ path: join(directory, 'sallyport.db') })
  const reader = new PrometheusExporter({ preventServerStart: true })
  const bus = database.bus({ now: () => 1000 })
  observeBusConsumers(bus, new MeterProvider({ readers: [reader] }), () => 91_000)
  await database.kysely
    .insertInto('bus_consumers')
    .values([
      { name: 'builds', position: 1 },
      { name: 'mails', position: 3 },
    ])
    .execute()
  await bus.publish(
    [1, 2, 3].map((id) => createEvent(`doorbell:${String(id)}`, 0)),
    new AbortController().signal,
  )
  const { resourceMetrics } = await reader.collect()
  const lines = prometheusText(resourceMetrics).split('\n')
  expect(lines.filter((line) => line.startsWith('sallyport_bus'))).toEqual([
    'sallyport_bus_consumer_unread{consumer="builds"} 2',
    'sallyport_bus_consumer_unread{consumer="mails"} 0',
    'sallyport_bus_consumer_oldest_unread_age_seconds{consumer="builds"} 90',
    'sallyport_bus_consumer_oldest_unread_age_seconds{consumer="mails"} 0',
  ])
  await database.close()
  await rm(directory, { recursive: true })
})
