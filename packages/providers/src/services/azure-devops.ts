import { basicAuth, defineService, type ServiceFacts } from '@sallyport/webhooks'

/** Azure DevOps: service hooks of the type Web Hooks. */
export const azureDevops = defineService({
  name: 'azure-devops',
  signature: basicAuth(),
  kind: 'eventType',
  subject: ['resourceContainers.project.id', 'resource.url'],
  time: 'createdDate',
})

export const facts: ServiceFacts = {
  title: 'Azure DevOps',
  docs: 'https://learn.microsoft.com/en-us/azure/devops/service-hooks/services/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://learn.microsoft.com/en-us/azure/devops/service-hooks/services/webhooks',
    'https://github.com/MicrosoftDocs/azure-devops-docs/blob/main/docs/service-hooks/events.md',
  ],
  setup: [
    'Open Project settings, Service hooks, and create a subscription of the type Web Hooks with the address.',
    'Enter a name and a random text as the basic authentication. The secret is `<name>:<text>`.',
  ],
  retries: 'unknown',
  traps: [
    'Basic authentication says nothing about the body. Azure DevOps signs nothing.',
    'With "Resource details to send" other than All, `resource` has little or nothing.',
  ],
}
