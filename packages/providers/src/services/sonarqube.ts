import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** SonarQube Cloud and Server: webhooks of projects. */
export const sonarqube = defineService({
  name: 'sonarqube',
  resends: false,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-sonar-webhook-hmac-sha256' }),
  kind: ['status', 'qualityGate.status'],
  subject: 'project.key',
  time: ['changedAt', 'analysedAt'],
})

export const facts: ServiceFacts = {
  title: 'SonarQube',
  docs: 'https://docs.sonarsource.com/sonarqube-server/latest/project-administration/webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.sonarsource.com/sonarqube-cloud/discovering-sonarcloud/integrations/webhooks',
    'https://community.sonarsource.com/t/webhook-body-inconsistencies/135006',
  ],
  setup: [
    'Open Administration, Webhooks of the project or organization, and create a webhook with the address.',
    'Enter a random text as the secret. SonarQube signs nothing without a secret.',
  ],
  retries: 'never; the timeout is ten seconds',
  traps: [
    'The kind is the status of the analysis with the status of the quality gate, such as `SUCCESS.ERROR`.',
    'An issue that changes the quality gate sends the last analysis again, with `changedAt` and without `taskId`.',
  ],
}
