import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** SonarQube Cloud and Server: webhooks of projects. */
export const sonarqube = defineService({
  name: 'sonarqube',
  resends: false,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-sonar-webhook-hmac-sha256' }),
  kind: ['status', 'qualityGate.status'],
  id: 'taskId',
  subject: 'project.key',
  time: 'analysedAt',
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'SonarQube',
  docs: 'https://docs.sonarsource.com/sonarqube-server/latest/project-administration/webhooks/',
  confidence: 'primary',
  setup: [
    'Open Administration, Webhooks of the project or organization, and create a webhook with the address.',
    'Enter a random text as the secret. SonarQube signs nothing without a secret.',
  ],
  retries: 'never; the timeout is ten seconds',
  traps: [
    'There is one event, the end of an analysis: the kind is its status with the status of the quality gate, such as `SUCCESS.ERROR`.',
  ],
}
