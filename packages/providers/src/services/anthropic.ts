import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Anthropic: webhooks of Claude Managed Agents. */
export const anthropic = defineService({
  name: 'anthropic',
  createsSecret: true,
  signature: standardWebhooks(),
  kind: 'data.type',
  subject: 'data.id',
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'Anthropic (Claude Managed Agents)',
  docs: 'https://platform.claude.com/docs/en/managed-agents/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://platform.claude.com/docs/managed-agents/webhooks',
    'https://platform.claude.com/docs/es/api/go/beta/webhooks',
  ],
  setup: [
    'Open the Console, Manage, Webhooks, and create an endpoint with the address.',
    'The secret is the signing secret, with its prefix `whsec_`.',
  ],
  retries: 'on failure; the schedule is not published',
  traps: ['The member `type` of the body is always `event`: the kind is `data.type`.'],
}
