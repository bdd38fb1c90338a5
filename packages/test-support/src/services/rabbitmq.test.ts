import { connect } from 'amqplib'
import { expect, it } from 'vitest'
import { describeWith } from './index.ts'
import { rabbitmq as service } from './rabbitmq.ts'

describeWith('rabbitmq', (rabbitmq) => {
  it('deletes only the exchanges and queues of the suite', async () => {
    const client = await connect(rabbitmq().url)
    // A failed check closes its channel.
    const exists = async (method: 'checkExchange' | 'checkQueue', name: string) => {
      const channel = await client.createChannel()
      channel.on('error', () => undefined)
      return channel[method](name).then(
        () => true,
        () => false,
      )
    }
    const opened = await service.open()
    const names = [rabbitmq().freshName(), opened.connection.freshName(), opened.connection.freshName()]
    const [mine = '', ...theirs] = names
    const channel = await client.createChannel()
    for (const name of [mine, theirs[0]!]) {
      await channel.assertExchange(name, 'topic')
      await channel.assertQueue(name)
    }
    await opened.close()
    const left = await Promise.all(
      [mine, ...theirs].flatMap((name) => [exists('checkExchange', name), exists('checkQueue', name)]),
    )
    await client.close()
    expect(left).toEqual([true, true, false, false, false, false])
  })
})
