import { describeWith } from '@sallyport/test-services'
import { expect, it } from 'vitest'
import { openAmqp } from './index.ts'

describeWith('rabbitmq', (server) => {
  // The second cut the connection over which the first waited for an answer, for as long as it had patience.
  it('may be closed twice at once', async () => {
    const amqp = openAmqp({ url: server().url, closeTimeoutMs: 600_000 })
    await amqp.bus({ exchange: server().freshName() }).ping()
    const both = [amqp.close(), amqp.close()]
    expect(await Promise.all(both)).toEqual([undefined, undefined])
    await amqp.close()
  })
})
