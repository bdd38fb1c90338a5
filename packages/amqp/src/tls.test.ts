import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { promisify } from 'node:util'
import { describeNeeding, describeWith } from '@sallyport/test-services'
import { expect, it } from 'vitest'
import { openAmqp } from './index.ts'

const run = promisify(execFile)

const openssl = {
  what: 'the command openssl',
  find: () =>
    run('openssl', ['version']).then(
      () => 'openssl',
      () => undefined,
    ),
  hint: 'install openssl',
}

/** Creates a key and a self-signed certificate for localhost. */
async function makeCertificate(command: string): Promise<{ readonly key: string; readonly cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-amqp-'))
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '2']
  await run(command, ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', cert])
  const made = { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
  await rm(folder, { recursive: true })
  return made
}

describeNeeding(openssl, (command) => {
  describeWith('rabbitmq', (server) => {
    it('connects by TLS only to a server whose certificate it can verify', async () => {
      const { key, cert } = await makeCertificate(command)
      const { hostname, port } = new URL(server().url)
      const terminator = createServer({ key, cert }, (client) => {
        const upstream = connect(Number(port), hostname)
        client.on('error', () => upstream.destroy()).pipe(upstream)
        upstream.on('error', () => client.destroy()).pipe(client)
      }).listen(0, '127.0.0.1')
      await once(terminator, 'listening')
      const url = `amqps://localhost:${(terminator.address() as AddressInfo).port}`

      const reported = Promise.withResolvers<unknown>()
      const distrustful = openAmqp({ url, onUnavailable: reported.resolve })
      expect(String(await reported.promise)).toMatch(/self-signed certificate/)
      await distrustful.close()

      const amqp = openAmqp({ url, tls: { ca: cert } })
      await amqp.bus({ exchange: server().freshName() }).ping()
      await amqp.close()
      await new Promise((resolve) => terminator.close(resolve))
    })
  })
})
