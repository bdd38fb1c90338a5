import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** HCP Terraform and Terraform Enterprise: notifications of workspaces. */
export const hcpTerraform = defineService({
  name: 'hcp-terraform',
  signature: hmac({ algorithm: 'sha512', encoding: 'hex', header: 'x-tfe-notification-signature' }),
  kind: (event) => readTrigger(event),
  subject: ['workspace_id', 'run_id'],
  time: 'notifications.0.run_updated_at',
})

/** The trigger of a run is in a list with one notification. Other notifications have it at the top. */
function readTrigger(event: unknown): unknown {
  const { trigger, notifications } = Object(event) as {
    trigger?: unknown
    notifications?: readonly unknown[]
  }
  return trigger ?? (Object(notifications?.[0]) as { trigger?: unknown }).trigger
}

export const facts: ServiceFacts = {
  title: 'HCP Terraform',
  docs: 'https://developer.hashicorp.com/terraform/cloud-docs/api-docs/notification-configurations',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://github.com/hashicorp/web-unified-docs/blob/main/content/terraform-docs-common/docs/cloud-docs/api-docs/notification-configurations.mdx',
  ],
  setup: [
    'Open the settings of the workspace, Notifications, and create one with the destination Webhook and the address.',
    'Enter a random text as the token. HCP Terraform signs nothing without a token.',
  ],
  retries: 'unknown',
  traps: [
    'Terraform sends a signed notification with the trigger `verification` first: the provider must be configured before.',
    'Run tasks have another signature and need an answer: this provider does not receive them.',
  ],
}
