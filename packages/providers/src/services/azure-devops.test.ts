import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { azureDevops } from './azure-devops.ts'
import samples from './azure-devops.samples.json' with { type: 'json' }

testService(runner, {
  provider: azureDevops,
  samples,
  secret: 'azure-devops:a random text',
  sign: ({ secret }) => ({ authorization: `Basic ${btoa(secret)}` }),
})
