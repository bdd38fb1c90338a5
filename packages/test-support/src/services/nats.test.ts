import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { expect, it } from 'vitest'
import { describeWith } from './index.ts'
import { nats as service } from './nats.ts'

describeWith('nats', (nats) => {
  it('deletes only the streams of the suite', async () => {
    const client = await connect({ servers: new URL(nats().url).host })
    const { streams } = await jetstreamManager(client)
    const opened = await service.open()
    const mine = `${nats().stream}_KEPT`
    const theirs = `${opened.connection.stream}_ONE`
    for (const name of [mine, theirs]) await streams.add({ name, subjects: [`${name}.>`] })
    await opened.close()
    const names = []
    for await (const name of streams.names()) names.push(name)
    await client.close()
    expect([names.includes(mine), names.includes(theirs)]).toEqual([true, false])
  })
})
