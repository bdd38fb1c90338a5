import { defineService, queryToken, type ServiceFacts } from '@sallyport/webhooks'

/** Docker Hub: webhooks of a repository. */
export const dockerHub = defineService({
  name: 'docker-hub',
  signature: queryToken('token'),
  kind: () => 'push',
  subject: 'repository.repo_name',
  time: 'push_data.pushed_at',
})

export const facts: ServiceFacts = {
  title: 'Docker Hub',
  docs: 'https://docs.docker.com/docker-hub/repos/manage/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://docs.docker.com/docker-hub/repos/manage/webhooks.md'],
  setup: [
    'Open the repository, Webhooks, and create a webhook with the address and `?token=` with a random text.',
    'The secret is this random text.',
  ],
  retries: 'unknown',
  traps: [
    'Docker Hub signs nothing: the token in the address proves the sender, and says nothing about the body. Pull the tag, and trust its digest only.',
    'A push is the only event. `callback_url` of the body is for a chain of webhooks: call it only after you checked its host.',
  ],
}
