import { randomUUID } from 'node:crypto'
import { describeWith } from '@sallyport/test-support/services'
import { Redis } from 'ioredis'
import { expect, it } from 'vitest'
import { testBus, workflowRun } from './bus-suite.ts'
import { sendWorkflowRun, startServerProcess, temporaryDirectory } from './server-process.ts'

/** The ids in a stream, in its order. */
async function idsIn(url: string, stream: string): Promise<string[]> {
  const client = new Redis(url)
  try {
    const entries = await client.xrange(stream, '-', '+')
    return entries.map(([, fields]) => fields[fields.indexOf('id') + 1] ?? '')
  } finally {
    client.disconnect()
  }
}

describeWith('redis', (redis) => {
  const open = () => {
    const name = `${redis().name}-${randomUUID().slice(0, 8)}`
    const ids = () => idsIn(redis().url, name)
    return Promise.resolve({ url: `${redis().url}/0?name=${name}`, ids })
  }

  testBus(open, { hasQueue: true })

  it('blocks an address in every process that shares the Redis', async () => {
    const name = `${redis().name}-limit`
    const url = `${redis().url}/0?name=${name}`
    const secrets = { WEBHOOK_SECRET_CODEHOST: 'one secret of more than 32 characters' }
    await using data = await temporaryDirectory()
    await using other = await temporaryDirectory()
    await using one = await startServerProcess({ ...secrets, DATA_DIR: data.path, BUS_URL: url })
    await using two = await startServerProcess({ ...secrets, DATA_DIR: other.path, QUEUE_URL: url })
    const statuses: number[] = []
    for (let count = 0; count < 20; count++) {
      const { base } = count % 2 === 0 ? one : two
      statuses.push((await sendWorkflowRun(base, 'a wrong secret', workflowRun(1))).status)
    }
    expect(statuses).toEqual(statuses.map(() => 401))
    for (const { base } of [one, two])
      expect((await sendWorkflowRun(base, 'a wrong secret', workflowRun(1))).status).toBe(429)
  })
})
