import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  describeNeeding,
  kafkaBrokers,
  openKafkaCluster,
  type KafkaCluster,
} from '@sallyport/test-support/services'
import { expect, it } from 'vitest'
import { openKafka } from '../../src/kafka/index.ts'
import type { KafkaClientOptions } from '../../src/kafka/kafka.ts'
import { createEvent } from '../../test/kafka/read-topic.ts'

const { signal } = new AbortController()

/** Publishes one event and returns the error of a failure. */
async function publishOne(options: KafkaClientOptions): Promise<string | undefined> {
  const client = openKafka({ connectTimeoutMs: 3000, timeoutMs: 3000, ...options })
  try {
    const [result] = await client.bus({ topic: 'webhooks' }).publish([createEvent('doorbell:1')], signal)
    return result?.ok === true ? undefined : result?.error
  } finally {
    await client.close()
  }
}

async function waitForAccess(options: KafkaClientOptions): Promise<void> {
  await expect.poll(() => publishOne(options), { timeout: 120_000, interval: 500 }).toBeUndefined()
}

const plainLogin = 'org.apache.kafka.common.security.plain.PlainLoginModule required'

describeNeeding(kafkaBrokers, (libraries) => {
  it('authenticates by SASL PLAIN, and reports a wrong password and a refused topic', async () => {
    await using cluster: KafkaCluster = await openKafkaCluster(libraries, 1, [
      'listeners=SASL_PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}',
      'advertised.listeners=SASL_PLAINTEXT://127.0.0.1:{port}',
      'security.inter.broker.protocol=SASL_PLAINTEXT',
      'sasl.mechanism.inter.broker.protocol=PLAIN',
      'sasl.enabled.mechanisms=PLAIN',
      `listener.name.sasl_plaintext.plain.sasl.jaas.config=${plainLogin} username="admin" password="admin-secret" user_admin="admin-secret" user_sally="p@ss-word" user_guest="guest-secret";`,
      'authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      'super.users=User:admin;User:ANONYMOUS;User:sally',
    ])
    const [broker = ''] = cluster.brokers
    await waitForAccess({ url: `kafka://sally:p%40ss-word@${broker}` })
    const wrong = await publishOne({ url: `kafka://sally:guessed-wrong@${broker}` })
    expect(wrong).toMatch(/SASL_AUTHENTICATION_FAILED|[Aa]uthentication/)
    expect(wrong).not.toContain('guessed-wrong')
    expect(await publishOne({ url: `kafka://guest:guest-secret@${broker}` })).toMatch(/AUTHORIZATION_FAILED/)
  })

  it('connects by TLS with a private authority and rejects an unknown one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sallyport-tls-'))
    const [key, certificate, keystore] = ['key.pem', 'certificate.pem', 'keystore.pem'].map((name) =>
      join(folder, name),
    )
    try {
      execFileSync(
        'openssl',
        `req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -keyout ${key!} -out ${certificate!}`.split(
          ' ',
        ),
        { stdio: 'ignore' },
      )
      const ca = await readFile(certificate!, 'utf8')
      await writeFile(keystore!, `${await readFile(key!, 'utf8')}${ca}`)
      await using cluster: KafkaCluster = await openKafkaCluster(libraries, 1, [
        'listeners=SSL://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}',
        'advertised.listeners=SSL://127.0.0.1:{port}',
        'security.inter.broker.protocol=SSL',
        'ssl.keystore.type=PEM',
        `ssl.keystore.location=${keystore!}`,
        'ssl.truststore.type=PEM',
        `ssl.truststore.location=${certificate!}`,
      ])
      const url = `kafkas://${cluster.brokers[0]!}`
      await waitForAccess({ url, tls: { ca } })
      expect(await publishOne({ url })).toMatch(/self.signed/i)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
