import { testService } from '@sallyport/webhooks/testing'
import { generateKeyPairSync, sign } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { wise } from './wise.ts'
import samples from './wise.samples.json' with { type: 'json' }

const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { format: 'pem', type: 'spki' },
  privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
})

testService(runner, {
  provider: wise,
  samples,
  sign: ({ body, secret }) => ({ 'x-signature-sha256': sign('sha256', body, secret).toString('base64') }),
  secret: pair.publicKey,
  signingSecret: pair.privateKey,
})
