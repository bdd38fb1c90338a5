import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const bumps = ['none', 'patch', 'minor', 'major'] as const
export type Bump = (typeof bumps)[number]

/** The largest change that the changesets of a folder announce. */
export function largestBump(folder: string): Bump {
  const announced = globSync('*.md', { cwd: folder })
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .flatMap((text) => {
      const [, front = ''] = /^---\n(.*?)\n---/s.exec(text) ?? []
      return [...front.matchAll(/: *(patch|minor|major)$/gm)].map(([, bump]) => bumps.indexOf(bump as Bump))
    })
  return bumps[Math.max(0, ...announced)] ?? 'none'
}

/** The version after one with a change. @throws TypeError for a version that is not three numbers */
export function next(version: string, bump: Bump): string {
  const [, major, minor, patch] = (/^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? []).map(Number)
  if (major === undefined || minor === undefined || patch === undefined) {
    throw new TypeError(`"${version}" is not a version that is released`)
  }
  switch (bump) {
    case 'major':
      return `${major + 1}.0.0`
    case 'minor':
      return `${major}.${minor + 1}.0`
    case 'patch':
      return `${major}.${minor}.${patch + 1}`
    case 'none':
      return version
  }
}
