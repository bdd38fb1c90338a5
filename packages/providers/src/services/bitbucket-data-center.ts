import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { fixedHandshake } from '@sallyport/webhooks/handshakes'

/** Bitbucket Data Center: webhooks of projects and repositories. */
export const bitbucketDataCenter = defineService({
  name: 'bitbucket-data-center',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-hub-signature', prefix: 'sha256=' }),
  handshake: fixedHandshake({ when: { headers: { 'x-event-key': 'diagnostics:ping' } } }),
  kind: 'eventKey',
  subject: (event) => getSubject(event),
  time: 'date',
  bodyLimit: 25 * 1024 * 1024,
})

interface Repository {
  readonly slug?: string
  readonly project?: { readonly key?: string }
}

interface Body {
  readonly repository?: Repository
  readonly new?: Repository & { readonly key?: string }
  readonly pullRequest?: { readonly toRef?: { readonly repository?: Repository } }
}

/** The key of the project and the name of the repository, such as `PROJ/shop`. */
function getSubject(event: unknown): string | undefined {
  const { repository, new: changed, pullRequest } = Object(event) as Body
  const { slug, project } = repository ?? pullRequest?.toRef?.repository ?? changed ?? {}
  return [project?.key ?? changed?.key, slug].filter((part) => part !== undefined).join('/') || undefined
}

export const facts: ServiceFacts = {
  title: 'Bitbucket Data Center',
  docs: 'https://confluence.atlassian.com/bitbucketserver/event-payload-938025882.html',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://confluence.atlassian.com/bitbucketserver/event-payload-938025882.html',
    'https://confluence.atlassian.com/bitbucketserver/manage-webhooks-938025878.html',
    'https://coderabbitai.github.io/bitbucket/interfaces/server.BitbucketServerWebhookHeaders.html',
  ],
  setup: [
    'Open the settings of the project or repository, Webhooks, and create a webhook with the address.',
    'Enter a random text as the secret. Bitbucket signs nothing without a secret.',
    'Select the events. "Test connection" sends a ping, which the gateway answers.',
  ],
  retries: 'unknown',
  traps: [
    'The ping of "Test connection" is not signed and is not an event.',
    'The events and bodies differ from those of Bitbucket Cloud: use `bitbucket` there.',
  ],
}
