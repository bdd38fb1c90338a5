import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { describeNeeding, describeWith, makeCertificate, openssl } from '@sallyport/test-support/services'
import { expect, it } from 'vitest'
import { openAmqp } from './index.ts'

describeNeeding(openssl, (command) => {
  describeWith('rabbitmq', (server) => {
    it('connects by TLS only to a server whose certificate it can verify', async () => {
      await using certificate = await makeCertificate(command)
      const { key, cert } = certificate
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
