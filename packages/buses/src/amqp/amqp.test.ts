import { describeWith } from '@sallyport/test-support/services'
import { expect, it } from 'vitest'
import { openAmqp } from './index.ts'

describeWith('rabbitmq', (server) => {
  // The second close cut the connection while the first one waited for a response.
  it('closes once when close is called twice', async () => {
    const amqp = openAmqp({ url: server().url, closeTimeoutMs: 600_000 })
    await amqp.bus({ exchange: server().freshName() }).ping()
    const both = [amqp.close(), amqp.close()]
    expect(await Promise.all(both)).toEqual([undefined, undefined])
    await amqp.close()
  })
})
