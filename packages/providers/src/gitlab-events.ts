/** Returns the name of an event of GitLab. Events of groups and of the system have no `object_kind`. */
export function getName(event: unknown): unknown {
  const { object_kind: kind, event_name: name } = Object(event) as Readonly<Record<string, unknown>>
  return kind ?? name
}

/** Returns the time of the last commit of a push, which has no time of its own. */
export function getCommitTime(event: unknown): unknown {
  const { commits } = Object(event) as { readonly commits?: unknown }
  const last: unknown = Array.isArray(commits) ? commits.at(-1) : undefined
  return (Object(last) as { readonly timestamp?: unknown }).timestamp
}
