# Puts toto's farm in front of PATH. Written by `toto setup`; safe to read any number of times.
begin
    set -l farm @FARM@
    if test "$PATH[1]" != "$farm"
        set -l rest
        for directory in $PATH
            test "$directory" = "$farm"; or set -a rest $directory
        end
        set -gx PATH $farm $rest
    end
end
