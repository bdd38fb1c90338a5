import type { VerifiedDelivery } from '@sallyport/webhooks'

/** Requests to bypass a rule or to dismiss an alert. */
const exemptions = ['push_ruleset', 'secret_scanning', 'code_scanning']
  .flatMap((about) => ['bypass', 'exemption', 'dismissal'].map((kind) => `${kind}_request_${about}`))
  .join(' ')

/**
 * The members that tell the events of GitHub apart, each with the events that have them: the first rule with all of its
 * members in a body decides.
 */
const rules = [
  ['zen hook', 'ping'],
  ['hook_id hook', 'meta'],
  // Its comment is a text.
  ['since workflow_run', 'deployment_review'],
  ['workflow_job_run', 'deployment_review'],
  ['workflow_job_runs', 'deployment_review'],
  ['approver', 'deployment_review'],
  ['exemption_request', exemptions],
  ['pull_request review', 'pull_request_review'],
  ['pull_request thread', 'pull_request_review_thread'],
  ['pull_request comment', 'pull_request_review_comment'],
  ['issue comment', 'issue_comment'],
  ['discussion comment', 'discussion_comment'],
  ['sub_issue', 'sub_issues'],
  ['parent_issue', 'sub_issues'],
  ['blocked_issue', 'issue_dependencies'],
  ['blocking_issue', 'issue_dependencies'],
  ['comment', 'commit_comment'],
  ['marketplace_purchase', 'marketplace_purchase'],
  ['deployment_callback_url', 'deployment_protection_rule'],
  ['deployment_status', 'deployment_status'],
  ['workflow_job', 'workflow_job'],
  ['deployment', 'deployment'],
  ['check_run', 'check_run'],
  ['check_suite', 'check_suite'],
  ['workflow_run', 'workflow_run'],
  ['alert location', 'secret_scanning_alert_location'],
  [
    'alert',
    'dependabot_alert code_scanning_alert secret_scanning_alert repository_vulnerability_alert ' +
      'secret_scanning_alert_location',
  ],
  ['security_advisory', 'security_advisory'],
  ['repository_advisory', 'repository_advisory'],
  ['client_payload', 'repository_dispatch'],
  ['workflow inputs', 'workflow_dispatch'],
  ['forkee', 'fork'],
  ['cache_location', 'cache_sync'],
  ['before after', 'push pull_request'],
  ['pull_request', 'pull_request'],
  ['issue', 'issues'],
  ['discussion', 'discussion'],
  ['release', 'release'],
  ['package', 'package'],
  ['registry_package', 'registry_package'],
  ['pages', 'gollum'],
  ['ref_type master_branch', 'create'],
  ['ref_type', 'delete'],
  ['scope team', 'membership'],
  ['member', 'member'],
  ['team', 'team team_add'],
  ['sponsorship', 'sponsorship'],
  ['starred_at', 'star'],
  ['project_card', 'project_card'],
  ['project_column', 'project_column'],
  ['project', 'project'],
  ['projects_v2_status_update', 'projects_v2_status_update'],
  ['projects_v2_item', 'projects_v2_item'],
  ['projects_v2', 'projects_v2'],
  ['milestone', 'milestone'],
  ['label', 'label'],
  ['key', 'deploy_key'],
  ['merge_group', 'merge_group'],
  ['blocked_user', 'org_block'],
  ['build', 'page_build'],
  ['context sha', 'status'],
  ['repositories_added', 'installation_repositories'],
  ['rule', 'branch_protection_rule'],
  ['repository_ruleset', 'repository_ruleset'],
  ['personal_access_token_request', 'personal_access_token_request'],
].map(([members = '', events = '']) => ({ members: members.split(' '), events: events.split(' ') }))

const known = new Set(rules.flatMap(({ events }) => events))

/** Events without a member of their own. Their bodies cannot be told apart, but match no rule. */
const plain = new Set([
  'branch_protection_configuration',
  'custom_property',
  'custom_property_values',
  'enterprise',
  'github_app_authorization',
  'installation',
  'installation_target',
  'organization',
  'organization_custom_property',
  'organization_custom_property_values',
  'public',
  'repository',
  'repository_import',
  'secret_scanning_scan',
  'security_and_analysis',
  'user',
  'watch',
])

/** The names of all events. */
export const eventNames: readonly string[] = [...new Set([...known, ...plain])]

/**
 * Reports whether the header `x-github-event`, which is not signed, can belong to the signed body. An unknown name is
 * accepted: GitHub adds events.
 */
export function agreesWithBody({ headers, payload }: VerifiedDelivery): boolean {
  const named = headers.get('x-github-event') ?? ''
  if (!known.has(named) && !plain.has(named)) return true
  return findEvents(payload)?.includes(named) ?? plain.has(named)
}

/** Returns the events that a body can be; undefined for a body without a member of its own. */
export function findEvents(payload: unknown): readonly string[] | undefined {
  const body = Object(payload) as object
  return rules.find(({ members }) => members.every((member) => Object.hasOwn(body, member)))?.events
}
