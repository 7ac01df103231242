import type { Video } from '#/api/types'
import { Picture } from '#/ui/Picture'

interface Props {
  video: Video
  isFirst?: boolean
}

export function VideoPicture({ video, isFirst = false }: Props) {
  return <Picture id={video.id} name={video.name} source={video.image_url} isFirst={isFirst} />
}
