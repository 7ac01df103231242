import { Picture } from '#/ui/Picture'

interface Props {
  place: { id: number; name: string; image_url?: string | null; type: { id: number } }
  isFirst?: boolean
}

export function PlacePicture({ place, isFirst = false }: Props) {
  return (
    <Picture
      id={place.id}
      name={place.name}
      source={place.image_url}
      family={place.type.id}
      isFirst={isFirst}
    />
  )
}
