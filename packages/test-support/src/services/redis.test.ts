import { Redis } from 'ioredis'
import { expect, it } from 'vitest'
import { describeWith } from './index.ts'
import { redis as service } from './redis.ts'

describeWith('redis', (redis) => {
  it('deletes only the keys of the suite', async () => {
    const client = new Redis(redis().url)
    const opened = await service.open()
    const mine = `${redis().name}-kept`
    const theirs = `bull:${opened.connection.name}:one`
    for (const key of [mine, theirs]) await client.set(key, '')
    await opened.close()
    const left = [await client.exists(mine), await client.exists(theirs)]
    client.disconnect()
    expect(left).toEqual([1, 0])
  })
})
