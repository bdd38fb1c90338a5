import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { describeWith } from '@sallyport/test-support/services'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startApi } from './api.ts'
import { readiness } from './readiness.ts'

const payload = { text: 'a large body '.repeat(1000) }
const settings = (url: string) => ({ BODY_STORE_URL: url, BODY_STORE_ABOVE: '4kb' })

beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
})
afterAll(() => {
  vi.unstubAllEnvs()
})

describeWith('moto', (moto) => {
  it('keeps large bodies in a bucket until they are erased', async () => {
    const { url: endpoint, prefix } = moto()
    const Bucket = `${prefix}server`
    const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true })
    await client.send(new CreateBucketCommand({ Bucket }))
    const count = async () => (await client.send(new ListObjectsV2Command({ Bucket }))).KeyCount
    await using api = await startApi(settings(`s3://${Bucket}/bodies?region=us-east-1&endpoint=${endpoint}`))
    const { token } = api.admin
    await api.deliver({ type: 'workflow_run.completed', payload })
    await expect.poll(api.events).toHaveLength(1)
    expect(await count()).toBe(1)
    const { id } = (await api.call('GET', '/deliveries?limit=1', { token })).list[0]!
    expect((await api.call('GET', `/deliveries/${id}`, { token })).text).toContain(payload.text)
    const erase = () => api.call('DELETE', `/deliveries/${id}/body`, { token })
    await expect.poll(async () => (await erase()).status).toBe(204)
    expect(await count()).toBe(0)
    client.destroy()
  })
})

it('answers large deliveries with 503 while the bucket does not answer, and stays ready', async () => {
  await using api = await startApi(settings('s3://acme?region=us-east-1&endpoint=http://127.0.0.1:1'))
  await expect(api.deliver({ type: 'workflow_run.completed', payload })).rejects.toThrow('BODY_UNAVAILABLE')
  await api.deliver({ type: 'workflow_run.completed', payload: {} })
  expect(await readiness(api.base, api.admin.token)).toMatchObject({
    status: 'ok',
    dependencies: { inbox: 'ok', bodies: 'unavailable' },
    notices: [expect.stringContaining('S3: ECONNREFUSED')],
  })
})
