import { connect, nkeys } from '@nats-io/transport-node'
import {
  describeNeeding,
  makeCertificate,
  natsServers,
  openNatsServer,
  openssl,
  unusedPort,
} from '@sallyport/test-support/services'
import { expect, it } from 'vitest'
import { openNats } from '../../src/nats/index.ts'
import type { NatsClient, NatsServerOptions } from '../../src/nats/nats.ts'
import { createEvent } from './fresh.ts'
import { createCredentials } from './user-jwt.ts'

const { signal } = new AbortController()
const published = [{ ok: true, duplicate: false }]
const poll = { interval: 100, timeout: 10_000 }

/** Publishes an event as soon as the server answers. */
async function publish(nats: NatsClient, id: string): Promise<unknown> {
  const bus = nats.bus()
  await expect.poll(() => bus.ping().then(() => 'ok', String), poll).toBe('ok')
  return bus.publish([createEvent(id)], signal)
}

async function expectRejected(options: NatsServerOptions, reason: RegExp): Promise<void> {
  const reported = Promise.withResolvers<unknown>()
  const nats = openNats({ ...options, retryMs: 50, onUnavailable: reported.resolve })
  expect(String(await reported.promise)).toMatch(reason)
  await nats.close()
}

describeNeeding(natsServers, (command) => {
  it('authenticates with an NKEY', async () => {
    const user = nkeys.createUser()
    const config = `authorization { users: [{ nkey: ${user.getPublicKey()} }] }`
    await using server = await openNatsServer(command, await unusedPort(), config)
    const nkeySeed = new TextDecoder().decode(user.getSeed())
    const nats = openNats({ url: server.url, nkeySeed, retryMs: 50 })
    expect(await publish(nats, 'doorbell:1')).toEqual(published)
    await nats.close()
    const other = new TextDecoder().decode(nkeys.createUser().getSeed())
    await expectRejected({ url: server.url, nkeySeed: other }, /Authorization Violation/)
  })

  it('authenticates with a credentials file', async () => {
    const { config, credentials } = createCredentials()
    await using server = await openNatsServer(command, await unusedPort(), config)
    const nats = openNats({ url: server.url, credentials, retryMs: 50 })
    expect(await publish(nats, 'doorbell:1')).toEqual(published)
    await nats.close()
    await expectRejected(
      { url: server.url, credentials: createCredentials().credentials },
      /Authorization Violation/,
    )
  })

  it('rejects unusable credentials without quoting them', () => {
    const url = 'nats://127.0.0.1:4222'
    expect(() => openNats({ url, credentials: 'a secret' })).toThrow(
      new TypeError('credentials must be the content of a .creds file'),
    )
    expect(() => openNats({ url, nkeySeed: 'a secret' })).toThrow(
      new TypeError('nkeySeed must be the seed of a user'),
    )
  })

  it('connects to the server of a list that answers', async () => {
    await using server = await openNatsServer(
      command,
      await unusedPort(),
      'authorization { user: a, password: b }',
    )
    const down = `nats://a:b@127.0.0.1:${await unusedPort()}`
    const nats = openNats({ url: [down, server.url], retryMs: 50 })
    expect(await publish(nats, 'doorbell:1')).toEqual(published)
    await nats.close()
  })

  it('uses a connection of the application and leaves it open', async () => {
    await using server = await openNatsServer(command, await unusedPort())
    const waiting = openNats({ url: server.url, retryMs: 50 })
    await publish(waiting, 'doorbell:0')
    await waiting.close()

    const connection = await connect({ servers: new URL(server.url).host })
    const nats = openNats({ connection })
    expect(await publish(nats, 'doorbell:1')).toEqual(published)
    await nats.close()
    expect(connection.isClosed()).toBe(false)

    await connection.close()
    expect(
      await openNats({ connection })
        .bus()
        .publish([createEvent('doorbell:2')], signal),
    ).toEqual([
      {
        ...{ ok: false, retryable: true },
        error: 'The application has closed its connection to NATS: open another',
      },
    ])
  })

  describeNeeding(openssl, (opensslCommand) => {
    it('authenticates with a client certificate over TLS', async () => {
      await using certificate = await makeCertificate(opensslCommand)
      const { key, cert, files } = certificate
      const config = `tls { cert_file: "${files.cert}", key_file: "${files.key}", ca_file: "${files.cert}", verify: true }`
      const port = await unusedPort()
      await using server = await openNatsServer(command, port, config)
      expect(server.url).toContain(String(port))
      const url = `tls://localhost:${port}`
      const nats = openNats({ url, tls: { ca: cert, cert, key }, retryMs: 50 })
      expect(await publish(nats, 'doorbell:1')).toEqual(published)
      await nats.close()
      await expectRejected({ url }, /self-signed certificate/)
      // The library reports nothing about a connection that the server closes during the handshake.
      await expectRejected({ url, tls: { ca: cert }, connectTimeoutMs: 1000 }, /TimeoutError/)
    })
  })
})
