import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { jiraApp } from './jira-app.ts'
import samples from './jira-app.samples.json' with { type: 'json' }

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

testService(runner, {
  provider: jiraApp,
  samples,
  sign: ({ secret, now }) => {
    const claims = { iss: 'acme', iat: now / 1000, exp: now / 1000 + 300 }
    const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
    const signature = createHmac('sha256', secret).update(content).digest('base64url')
    return { authorization: `${content}.${signature}` }
  },
})
