import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { describeWith } from '@sallyport/test-support/services'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getDelivery } from '../../test/records.ts'
import { newPath, removeFiles } from '../../test/files.ts'
import { openSqlite } from '../sqlite/index.ts'
import { createS3BodyStore } from './index.ts'

const { signal } = new AbortController()
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' }
const keys = ['a', 'b'].map((letter) => letter.repeat(32))

afterAll(removeFiles)

describeWith('moto', (moto) => {
  const bucket = () => moto().prefix.replace(/-$/, '')
  const open = (name = bucket()) =>
    createS3BodyStore({
      url: `s3://${name}/bodies?region=eu-central-1&endpoint=${encodeURIComponent(moto().url)}`,
      clientOptions: { credentials },
    })
  let client: S3Client
  const list = async () => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket() }))
    return Contents.map(({ Key }) => Key)
  }

  beforeAll(async () => {
    client = new S3Client({ endpoint: moto().url, region: 'eu-central-1', forcePathStyle: true, credentials })
    const CreateBucketConfiguration = { LocationConstraint: 'eu-central-1' } as const
    await client.send(new CreateBucketCommand({ Bucket: bucket(), CreateBucketConfiguration }))
  })
  afterAll(() => {
    client.destroy()
  })

  it('stores, reads and deletes objects below its prefix', async () => {
    const store = open()
    await store.ping()
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index)
    for (const key of keys) await store.put(key, bytes, { signal })
    expect(await list()).toEqual(keys.map((key) => `bodies/${key}`))
    expect(await store.get(keys[0]!, { maxBytes: bytes.byteLength, signal })).toEqual(Buffer.from(bytes))
    await store.delete([...keys, 'c'.repeat(32)], { signal })
    expect(await store.get(keys[0]!, { maxBytes: 10, signal })).toBeUndefined()
    expect(await list()).toEqual([])
    expect(store.getFailure()).toBeUndefined()
    store.close()
  })

  it('says that a bucket does not exist', async () => {
    const store = open('another-bucket-that-is-missing')
    const failed = { code: 'SERVICE_UNAVAILABLE', message: 'S3: NoSuchBucket' }
    await expect(store.ping()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await expect(store.put(keys[0]!, Uint8Array.of(1), { signal })).rejects.toMatchObject(failed)
    await expect(store.get(keys[0]!, { maxBytes: 1, signal })).rejects.toMatchObject(failed)
    expect(store.getFailure()).toBe('S3: NoSuchBucket')
    store.close()
  })

  it('keeps the large bodies of a database until they are erased', async () => {
    const store = open()
    const database = await openSqlite({ path: await newPath(), bodies: { store, above: 1000 } })
    const inbox = database.inbox()
    const body = Buffer.alloc(5000, 'x')
    const large = { ...getDelivery('doorbell:1'), body, events: [] }
    const quarantined = { ...large, quarantine: { key: 'doorbell:1', reason: 'unreadable' } }
    await inbox.record(quarantined)
    expect(await list()).toHaveLength(1)
    expect((await inbox.get(large.id))?.body).toEqual(Uint8Array.from(body))
    await inbox.eraseBody(large.id)
    expect(await list()).toEqual([])
    await database.close()
    store.close()
  })
})

describe('a store that does not answer', () => {
  it('rejects without a secret, and at the end of the signal', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const url = `s3://acme?region=us-east-1&endpoint=http://127.0.0.1:${port}`
    const store = createS3BodyStore({ url, clientOptions: { credentials } })
    const waiting = store.put(keys[0]!, Uint8Array.of(1), { signal: AbortSignal.timeout(50) })
    const late = { message: 'S3: no answer in time' }
    await expect(waiting).rejects.toMatchObject(late)
    // Pings that hang would take all connections from the bodies.
    await expect(store.ping()).rejects.toMatchObject(late)
    server.closeAllConnections()
    server.close()
    const refused = store.get(keys[0]!, { maxBytes: 1, signal })
    await expect(refused).rejects.toMatchObject({ message: 'S3: ECONNREFUSED' })
    expect(store.getFailure()).toBe('S3: ECONNREFUSED')
    store.close()
  })

  it('reads no more of an object than its recorded length and one chunk', async () => {
    let sent = 0
    const server = createServer((_, response) => {
      const write = () => {
        while (!response.destroyed && sent < 100_000_000) {
          sent += 65_536
          if (!response.write(Buffer.alloc(65_536))) {
            response.once('drain', write)
            return
          }
        }
      }
      write()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const url = `s3://acme?region=us-east-1&endpoint=http://127.0.0.1:${port}`
    const store = createS3BodyStore({ url, clientOptions: { credentials } })
    const found = await store.get(keys[0]!, { maxBytes: 1000, signal })
    expect(found!.byteLength).toBeGreaterThan(1000)
    expect(sent).toBeLessThan(50_000_000)
    store.close()
    server.closeAllConnections()
    server.close()
  })
})
