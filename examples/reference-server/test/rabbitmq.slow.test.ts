import { describeWith } from '@sallyport/test-support/services'
import { connect } from 'amqplib'
import { expect, it } from 'vitest'
import { acceptOne } from './accept-one.ts'
import { testBus, workflowRun } from './bus-suite.ts'
import { readiness } from './readiness.ts'
import { getSecrets, startServerProcess, temporaryDirectory } from './server-process.ts'

/** Binds a queue to the workflow runs of an exchange, and returns a function that removes their ids in order. */
async function openQueue(url: string, name: string) {
  const client = await connect(url)
  const channel = await client.createChannel()
  await channel.assertExchange(name, 'topic', { durable: true })
  await channel.assertQueue(name)
  await channel.bindQueue(name, name, 'codehost.workflow_run.#')
  return {
    async ids(): Promise<unknown[]> {
      const ids: unknown[] = []
      for (;;) {
        const message = await channel.get(name, { noAck: true })
        if (message === false) return ids
        ids.push(message.properties.messageId)
      }
    },
    close: () => client.close(),
  }
}

describeWith('rabbitmq', (rabbitmq) => {
  const open = async () => {
    const exchange = rabbitmq().freshName()
    const queue = await openQueue(rabbitmq().url, exchange)
    return { ...queue, url: `${rabbitmq().url}/%2F?exchange=${exchange}` }
  }

  testBus(open, { hasQueue: true })

  it('shows at /ready that no queue is bound to the exchange', async () => {
    await using data = await temporaryDirectory()
    const exchange = rabbitmq().freshName()
    await using server = await startServerProcess({
      DATA_DIR: data.path,
      BUS_URL: `${rabbitmq().url}/%2F?exchange=${exchange}`,
    })
    const { token } = await acceptOne(server.base, await getSecrets(data.path), workflowRun(1))
    const dependencies = (state: string) => ({ dependencies: { inbox: 'ok', bus: state } })
    await expect.poll(() => readiness(server.base, token)).toMatchObject(dependencies('unavailable'))
    expect(await readiness(server.base, token)).toMatchObject({
      status: 'ok',
      notices: [expect.stringContaining('The bus refuses events')],
    })
    const queue = await openQueue(rabbitmq().url, exchange)
    await expect
      .poll(() => readiness(server.base, token), { timeout: 30_000 })
      .toMatchObject(dependencies('ok'))
    expect(await queue.ids()).toHaveLength(1)
    await queue.close()
  })
})
