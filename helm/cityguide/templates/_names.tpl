{{- define "cityguide.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else if contains "cityguide" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-cityguide" (.Release.Name | trunc 40 | trimSuffix "-") -}}
{{- end -}}
{{- end }}

{{/* Labels that select a release's pods; they must never change. */}}
{{- define "cityguide.selector" -}}
app.kubernetes.io/name: cityguide
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "cityguide.labels" -}}
{{ include "cityguide.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "cityguide.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end }}

{{- define "cityguide.blobsClaim" -}}
{{- .Values.blobs.existingClaim | default (printf "%s-blobs" (include "cityguide.fullname" .)) -}}
{{- end }}

{{/* Not empty if pods write to a volume: pictures without a bucket, or mail without a server. */}}
{{- define "cityguide.hasVolume" -}}
{{- if or (not .Values.blobs.s3.bucket) (and (eq .Values.mode "single") (not .Values.mail.host)) }}true{{ end -}}
{{- end }}

{{/* The Deployment that serves public requests. */}}
{{- define "cityguide.publicName" -}}
{{- printf "%s-%s" (include "cityguide.fullname" .) (ternary "all" "gateway" (eq .Values.mode "single")) -}}
{{- end }}
