/** Returns the name of an event of GitLab. Events of groups and of the system have no `object_kind`. */
export function getName(event: unknown): unknown {
  const { object_kind: kind, event_name: name } = Object(event) as Readonly<Record<string, unknown>>
  return kind ?? name
}
