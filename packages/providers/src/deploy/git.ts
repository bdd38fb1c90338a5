import { optionalText } from '../fields.ts'

/** What the meta data of a deployment say of the commit that was deployed. */
interface Commit {
  readonly branch: string | null
  readonly sha: string | null
  readonly commit_message: string | null
  readonly actor: string | null
}

const hosts = ['github', 'gitlab', 'bitbucket'] as const

/** The commit of a deployment that a Git host caused; all null of one from the command line. */
export function gitOf(meta: Readonly<Record<string, unknown>>): Commit {
  const told = (...fields: readonly string[]): string | null => {
    for (const field of fields) {
      for (const host of hosts) {
        const name = `${host}${field}`
        const value = Object.hasOwn(meta, name) ? optionalText.parse(meta[name]) : null
        if (value !== null) return value
      }
    }
    return null
  }
  return {
    branch: told('CommitRef'),
    sha: told('CommitSha'),
    commit_message: told('CommitMessage'),
    actor: told('CommitAuthorName', 'CommitAuthorLogin'),
  }
}
