import { describeNeeding, makeCertificate, openssl, unusedPort } from '@sallyport/test-support/services'
import { expect, it } from 'vitest'
import { openRedis } from '../../src/redis/index.ts'
import { createEvent } from './fresh.ts'
import { findServer, startServer } from './server.ts'

const { signal } = new AbortController()
const needed = { what: 'the command redis-server', find: findServer, hint: 'install redis-server' }

it('rejects TLS options for a URL without TLS', () => {
  expect(() => openRedis({ url: 'redis://localhost', tls: {} })).toThrow(
    new TypeError('tls needs a URL of the form rediss://host:6379/0'),
  )
})

describeNeeding(openssl, (openssl) => {
  describeNeeding(needed, (command) => {
    it('connects by TLS with the authority and the client certificate of the options', async () => {
      await using certificate = await makeCertificate(openssl)
      const { key, cert, files } = certificate
      const [port, plain] = [await unusedPort(), await unusedPort()]
      const paths = [
        '--tls-cert-file',
        files.cert,
        '--tls-key-file',
        files.key,
        '--tls-ca-cert-file',
        files.cert,
      ]
      await using server = await startServer(command, plain, ['--tls-port', String(port), ...paths])
      expect(server.url).toContain(String(plain))
      const url = `rediss://localhost:${port}`

      const reported = Promise.withResolvers<unknown>()
      const distrustful = openRedis({ url, retryMs: 50, onUnavailable: reported.resolve })
      await reported.promise
      await expect(distrustful.bus().ping()).rejects.toThrow('does not answer')
      await distrustful.close()

      // The server requires a certificate of the client.
      const redis = openRedis({ url, retryMs: 50, tls: { ca: cert, cert, key } })
      const bus = redis.bus()
      await expect.poll(() => bus.publish([createEvent('doorbell:1')], signal)).toMatchObject([{ ok: true }])
      await redis.close()
    })
  })
})
