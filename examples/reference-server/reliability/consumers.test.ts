import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openAmqp } from '@sallyport/buses/amqp'
import { openKafka } from '@sallyport/buses/kafka'
import { openNats } from '@sallyport/buses/nats'
import { openRedis } from '@sallyport/buses/redis'
import { openPostgres } from '@sallyport/sql/postgres'
import { openSqlite } from '@sallyport/sql/sqlite'
import { describeWith } from '@sallyport/test-support/services'
import type { MaybePromise, Publisher } from '@sallyport/webhooks'
import { createEvent } from '@sallyport/webhooks/testing'
import { connect } from 'amqplib'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../test/server-process.ts'

const script = fileURLToPath(new URL('consuming-process.ts', import.meta.url))
const { signal } = new AbortController()

/** Starts a process and waits for its first line. */
async function startProcess(...parameters: readonly string[]) {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--conditions=@sallyport/source', script, ...parameters],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const lines: string[] = []
  createInterface({ input: child.stdout! }).on('line', (line) => lines.push(line))
  await expect.poll(() => lines, { timeout: 20_000 }).toContain('ready')
  return { child, lines }
}

/** A bus with the address that the process receives. */
interface Bus {
  readonly url: string
  readonly publisher: Publisher
  readonly close: () => Promise<void>
}

/** Kills a consumer after its commit, and starts another. */
function testKilledConsumer(open: () => MaybePromise<Bus>): void {
  it('has the effect of an event once if the process is killed between commit and acknowledgement', async () => {
    const { url, publisher, close } = await open()
    await using directory = await temporaryDirectory()
    const path = join(directory.path, 'consumer.db')
    const killed = await startProcess(url, path, 'die')
    const died = once(killed.child, 'exit')
    expect(await publisher.publish([createEvent('doorbell:1', 0)], signal)).toMatchObject([{ ok: true }])
    expect(await died).toEqual([null, 'SIGKILL'])
    const second = await startProcess(url, path)
    // The bus delivers the message again when its lease has ended.
    await expect.poll(() => second.lines, { timeout: 60_000, interval: 500 }).toContain('doorbell:1')
    const ended = once(second.child, 'exit')
    second.child.kill('SIGKILL')
    await ended
    const database = await openSqlite({ path })
    const { rows } = await sql`select id from effects`.execute(database.kysely)
    expect(rows).toEqual([{ id: 'doorbell:1' }])
    await database.close()
    await close()
  })
}

describeWith('nats', (server) => {
  testKilledConsumer(() => {
    const stream = `${server().stream}_${randomUUID().slice(0, 8)}`
    const nats = openNats({ url: server().url })
    return { url: `${server().url}/${stream}`, publisher: nats.bus({ stream }), close: () => nats.close() }
  })
})

describeWith('redis', (server) => {
  testKilledConsumer(() => {
    const stream = `${server().name}-consumer`
    const redis = openRedis({ url: server().url })
    return { url: `${server().url}/${stream}`, publisher: redis.bus({ stream }), close: () => redis.close() }
  })
})

describeWith('rabbitmq', (server) => {
  testKilledConsumer(() => {
    const exchange = server().freshName()
    const amqp = openAmqp({ url: server().url })
    const close = async () => {
      await amqp.close()
      const client = await connect(server().url)
      const channel = await client.createChannel()
      for (const queue of [`${exchange}.one`, `${exchange}.one.dead`]) await channel.deleteQueue(queue)
      await client.close()
    }
    return { url: `${server().url}/${exchange}`, publisher: amqp.bus({ exchange }), close }
  })
})

describeWith('kafka', (server) => {
  testKilledConsumer(() => {
    const topic = `${server().topic}-consumer`
    const kafka = openKafka({ url: server().url })
    return { url: `${server().url}/${topic}`, publisher: kafka.bus({ topic }), close: () => kafka.close() }
  })
})

describeWith('postgres', (server) => {
  testKilledConsumer(async () => {
    const database = await openPostgres(server())
    await database.migrate()
    return { url: server().url, publisher: database.bus(), close: () => database.close() }
  })
})
