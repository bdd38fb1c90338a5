const paths = {
  overview: 'M4 13h6V4H4zM14 20h6V11h-6zM14 4v3h6V4zM4 17v3h6v-3z',
  deliveries: 'M4 7h16M4 12h16M4 17h10',
  failures: 'M12 8v5M12 16.5v.5M12 3l9.5 17h-19z',
  quarantine: 'M12 3l8 3v6c0 4.5-3.4 7.8-8 9-4.6-1.2-8-4.5-8-9V6zM9 12h6',
  unprocessed: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM6 6l12 12',
  endpoints: 'M9 12h6M7 8H6a4 4 0 0 0 0 8h1M17 8h1a4 4 0 0 1 0 8h-1',
  destinations: 'M4 12h7M11 12l5-6h4M11 12l5 6h4M11 12h9',
  events: 'M13 3L5 13h6l-1 8 8-10h-6z',
  processing: 'M4 6h11M19 6h.01M4 12h7M15 12h.01M19 12h.01M4 18h15',
  jobs: 'M4 12a8 8 0 0 1 14-5l2 2M20 4v5h-5M20 12a8 8 0 0 1-14 5l-2-2M4 20v-5h5',
  subscriptions: 'M12 3a9 9 0 1 0 9 9M12 7v5l3.5 2M21 4v5h-5',
  reconciliations: 'M4 8h13l-3.5-3.5M20 16H7l3.5 3.5',
  keys: 'M14 10a4 4 0 1 0-3.5 3.9L12 15.5h2v2h2v2h4v-3l-5.6-5.6',
  users:
    'M9 4a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM3 20c0-3.5 2.5-6 6-6s6 2.5 6 6M16 4.5a3.5 3.5 0 0 1 0 6M18 14.5c2 .9 3 2.9 3 5.5',
  audit: 'M7 3h8l4 4v14H7zM10 12h6M10 16h6M15 3v4h4',
  help: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.5v.5',
  menu: 'M4 6h16M4 12h16M4 18h16',
  close: 'M6 6l12 12M18 6L6 18',
  down: 'M6 9l6 6 6-6',
  right: 'M9 6l6 6-6 6',
  left: 'M15 6l-6 6 6 6',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4.5 4.5',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M18.4 5.6L17 7M7 17l-1.4 1.4',
  moon: 'M20 14.5A8 8 0 1 1 9.5 4a6.5 6.5 0 0 0 10.5 10.5z',
  logout: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  play: 'M8 5l11 7-11 7z',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  star: 'M12 4l2.4 5 5.6.7-4.1 3.8 1.1 5.5-5-2.8-5 2.8 1.1-5.5L4 9.7 9.6 9z',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
} as const

export type IconName = keyof typeof paths

/** A decorative icon. The control around it has the name. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}

/** The mark of the product: a gate with two doors. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" className="mark-ground" />
      <path d="M8 26V14a8 8 0 0 1 16 0v12" className="mark-outer" />
      <path d="M13 26v-9a3 3 0 0 1 6 0v9" className="mark-inner" />
    </svg>
  )
}
