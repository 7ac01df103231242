interface IconProps {
  className?: string | undefined
}

const line = {
  viewBox: '0 0 24 24',
  width: 24,
  height: 24,
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.75,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  'aria-hidden': true,
} as const

export function CloseIcon({ className }: IconProps) {
  return (
    <svg {...line} className={className}>
      <path d="M6 6l12 12M18 6L6 18" />
    </svg>
  )
}

export function MenuIcon({ className }: IconProps) {
  return (
    <svg {...line} className={className}>
      <path d="M3.5 7h17M3.5 12h17M3.5 17h11" />
    </svg>
  )
}

export function PersonIcon({ className }: IconProps) {
  return (
    <svg {...line} className={className}>
      <circle cx="12" cy="8.2" r="3.7" />
      <path d="M4.8 20c.7-3.9 3.6-6 7.2-6s6.5 2.1 7.2 6" />
    </svg>
  )
}

export function SearchIcon({ className }: IconProps) {
  return (
    <svg {...line} className={className}>
      <circle cx="10.8" cy="10.8" r="6.3" />
      <path d="M15.5 15.500L20.5 20.5" />
    </svg>
  )
}

export function HeartIcon({ className }: IconProps) {
  return (
    <svg {...line} className={className}>
      <path d="M12 20.300S3.6 15.5 3.6 9.500C3.6 6.7 5.7 4.7 8.2 4.700c1.6 0 3 .8 3.8 2.2.8-1.4 2.2-2.2 3.8-2.2 2.5 0 4.6 2 4.6 4.8 0 6-8.4 10.8-8.4 10.800z" />
    </svg>
  )
}

export function BookmarkIcon({ className }: IconProps) {
  return (
    <svg {...line} className={className}>
      <path d="M6.500 4h11v16.200L12 16l-5.500 4.200z" />
    </svg>
  )
}

export function FlagIcon({ className }: IconProps) {
  return (
    <svg {...line} className={className}>
      <path d="M6 20.500V4.500h12l-3 4.500 3 4.500H6" />
    </svg>
  )
}

export function StarIcon({ className }: IconProps) {
  return (
    <svg {...line} className={className}>
      <path d="M12 3.300l2.700 5.500 6 .9-4.350 4.200 1.050 6L12 17.050l-5.400 2.850 1.050-6L3.300 9.700l6-.9z" />
    </svg>
  )
}

export function CheckIcon({ className }: IconProps) {
  return (
    <svg {...line} className={className}>
      <path d="M5 12.500l4.700 4.700L19.200 7.300" />
    </svg>
  )
}

export function CalendarIcon({ className }: IconProps) {
  return (
    <svg {...line} className={className}>
      <path d="M4 6.500h16V20H4zM4 10.500h16M8.200 3.500v5M15.800 3.500v5M12 13v4.500M9.700 15.200h4.600" />
    </svg>
  )
}

export function PlayIcon({ className }: IconProps) {
  return (
    <svg {...line} className={className} fill="currentColor">
      <path d="M8 5.200l11 6.800-11 6.800z" />
    </svg>
  )
}

export function ChevronIcon({ className }: IconProps) {
  return (
    <svg {...line} className={className}>
      <path d="M9 5.500l6.500 6.500L9 18.500" />
    </svg>
  )
}
