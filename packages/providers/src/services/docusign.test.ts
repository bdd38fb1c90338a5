import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { send } from '../../test/send.ts'
import { docusign } from './docusign.ts'
import samples from './docusign.samples.json' with { type: 'json' }

testService(runner, {
  provider: docusign,
  samples,
  sign: ({ body, secret }) => ({
    'x-docusign-signature-1': createHmac('sha256', secret).update(body).digest('base64'),
  }),
})

it('quarantines a signed message in XML', async () => {
  const xml = '<DocuSignEnvelopeInformation><EnvelopeStatus/></DocuSignEnvelopeInformation>'
  expect((await send(docusign, xml)).outcome).toBe('quarantined')
})
