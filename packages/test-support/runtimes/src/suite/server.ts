import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPasswordHasher } from '@sallyport/auth/password'
import { createNodeListener } from '@sallyport/webhooks/node'
import { defineCases, expectEqual } from './case.ts'
import { doorbell, openGateway, rung, signed } from './doorbell.ts'
import { secret } from './fixed.ts'

/** Cases that need native code or the HTTP server of Node. */
export const serverCases = [
  ...defineCases('webhooks/node', {
    'a gateway answers on node:http': async () => {
      const roomy = { ...doorbell, name: 'roomy', bodyLimit: 200_000 }
      const server = createServer(createNodeListener(openGateway([doorbell, roomy], [secret])))
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const requestStatus = async (init: RequestInit, provider = 'doorbell') => {
        const url = `http://127.0.0.1:${port}/webhooks/${provider}`
        const response = await fetch(url, { method: 'POST', ...init })
        await response.text()
        return response.status
      }
      try {
        const { body, headers } = await signed(rung())
        const proof = { ...headers }
        expectEqual(await requestStatus({ body: body as Uint8Array<ArrayBuffer>, headers: proof }), 200)
        // Each runtime splits a large body differently.
        const large = await signed({ ...rung('2'), filling: 'x'.repeat(100_000) })
        expectEqual(await requestStatus(large, 'roomy'), 200)
        expectEqual(await requestStatus({ body: 'forged', headers: proof }), 401)
        expectEqual(await requestStatus({ body: 'x'.repeat(1001), headers: proof }), 413)
      } finally {
        server.close()
        server.closeAllConnections()
      }
    },
  }),
  ...defineCases('auth/password', {
    'hashes and verifies a password': async () => {
      const hasher = createPasswordHasher()
      const hash = await hasher.hash('correct horse battery staple')
      const verify = async (password: string) => (await hasher.verify(hash, password)).valid
      expectEqual([await verify('correct horse battery staple'), await verify('another')], [true, false])
    },
  }),
]
